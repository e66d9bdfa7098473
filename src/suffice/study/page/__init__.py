"""The report of a study: records in, files out.

    html        sections to one page, by the templates          markdown   the same words for people and diff tools
    figures     what is drawn, in table_, model_ and            schema     what result.json holds, from the records
                prediction_figures; drawing makes the SVG       files      writes all of them, and the model

A new section needs a template `sections/<key>.html.j2` and a printer in `markdown`.
"""
