"""The report of a study: records in, files out.

    order       which parts a page has, in which order,         html       parts to one page, by the templates
                and which are folded                            markdown   the same words for people and diff tools
    figures     what is drawn, a maker per figure:              schema     what result.json holds, from the records
                comparison_, driver_, decision_, model_,        files      writes all of them, and the model
                prediction_, series_ and table_figures;
                drawing makes the SVG

A new section needs a place in `order`, a template `sections/<key>.html.j2` and a printer in `markdown`.
"""
