"""Does a value keep a JSON schema? Only the words that `result.schema.json` uses; any other is an error."""

KINDS = {
    "string": lambda v: isinstance(v, str),
    "boolean": lambda v: isinstance(v, bool),
    "integer": lambda v: isinstance(v, int) and not isinstance(v, bool),
    "number": lambda v: isinstance(v, int | float) and not isinstance(v, bool),
    "null": lambda v: v is None,
    "array": lambda v: isinstance(v, list),
    "object": lambda v: isinstance(v, dict),
}
WORDS = {
    "$schema", "$defs", "$ref", "title", "description", "type", "const", "enum", "required", "properties",
    "additionalProperties", "items", "prefixItems", "minItems", "maxItems", "anyOf",
}  # fmt: skip


def faults(value, schema, root=None, at="result"):
    """What is wrong, as sentences; empty if nothing is."""
    root = schema if root is None else root
    assert set(schema) <= WORDS, set(schema) - WORDS
    if "$ref" in schema:
        return faults(value, root["$defs"][schema["$ref"].removeprefix("#/$defs/")], root, at)
    found = []
    kinds = schema.get("type", list(KINDS))
    if not any(KINDS[kind](value) for kind in ([kinds] if isinstance(kinds, str) else kinds)):
        return [f"{at} is {value!r:.60}, not {kinds}"]
    if "const" in schema and value != schema["const"]:
        found.append(f"{at} is {value!r}, not {schema['const']!r}")
    if "enum" in schema and value not in schema["enum"]:
        found.append(f"{at} is {value!r}, none of {schema['enum']}")
    if "anyOf" in schema:
        tried = [faults(value, one, root, at) for one in schema["anyOf"]]
        found += [] if any(not one for one in tried) else min(tried, key=len)
    if isinstance(value, dict):
        found += [f"{at} lacks {name!r}" for name in schema.get("required", ()) if name not in value]
        known, others = schema.get("properties", {}), schema.get("additionalProperties", {})
        for name, inside in value.items():
            found += faults(inside, known.get(name, others), root, f"{at}.{name}")
    if isinstance(value, list):
        if not schema.get("minItems", 0) <= len(value) <= schema.get("maxItems", len(value)):
            found.append(f"{at} has {len(value)} items")
        first = schema.get("prefixItems", [])
        for i, inside in enumerate(value):
            found += faults(
                inside, first[i] if i < len(first) else schema.get("items", {}), root, f"{at}[{i}]"
            )
    return found
