# SPDX-License-Identifier: Apache-2.0
"""Expansion of a spec's short forms and defaults.

A spec states only the particulars of its operator. Consequences of its tables and traits are added
to the data of the YAML file before any check, so that other code sees only the full form.
Statements of the spec win. Malformed data are left to the models, which report them.
"""

from __future__ import annotations

import itertools
from collections.abc import Iterable, Iterator, Mapping, Sequence
from collections.abc import Set as AbstractSet
from typing import Any

from aclnn_cts.errors import listed, unknown_name
from aclnn_cts.spec.clause_models import Complaint, split_place
from aclnn_cts.spec.data_types import DATA_TYPES, STATUSES, UNPROMOTABLE, all_castable, promote
from aclnn_cts.spec.editions import Merged, merge
from aclnn_cts.spec.formula_defaults import PLACE, FormulaDefaults, is_single
from aclnn_cts.spec.models import Trait
from aclnn_cts.spec.parameter_clauses import clause_id
from aclnn_cts.spec.yaml_files import Location
from aclnn_cts.violations import DERIVED, KINDS
from aclnn_cts.violations.data_types import RARE_DTYPES, REFUSED_DTYPES
from aclnn_cts.violations.kind import Kind
from aclnn_cts.violations.rows import Row, list_of

ORDINALS = (  # noqa: SIM905
    "first,second,third,fourth,fifth,sixth,seventh,eighth,ninth,tenth,eleventh,twelfth,thirteenth,"
    "fourteenth,fifteenth,sixteenth,seventeenth,eighteenth,nineteenth,twentieth"
).split(",")

_REPEATABILITY = "whether repeated calls give the same bits"
_LOST = "The error table; the current rows apply, without their statuses."
_PARTNERS = ("broadcasts_to", "broadcasts_with")
_NO_INFINITY = ("nan", "inf", "non-finite")
"""Outcomes that do not exist on a product without Inf and NaN."""


def expand(
    data: Any, products: Iterable[str], traits: Mapping[str, Trait]
) -> tuple[Merged, list[Complaint]]:
    """Return the full form of a spec, and mistakes in its short forms.

    Args:
        data: The spec as YAML has it; not changed.
    """
    if not isinstance(data, dict):
        return Merged(data), []
    expansion = _Expansion(data)
    expansion.products(products)
    expansion.types()
    expansion.formula()
    expansion.clauses()
    expansion.errors()
    expansion.conversions()
    expansion.silences()
    expansion.spread("one_sided", "clause")
    expansion.spread("precision", "output")
    expansion.traits(traits)
    expansion.editions()
    return expansion.merged, expansion.complaints


class _Expansion:
    """The steps of :func:`expand`; each replaces one section of the data."""

    def __init__(self, data: Mapping[Any, Any]) -> None:
        self.data = dict(data)
        self.merged = Merged(self.data)
        self.complaints: list[Complaint] = []
        self._underived = set(list_of(data.get("underived")))
        self._traits = data.get("traits", [])
        rows = [row for row in list_of(data.get("parameters")) if isinstance(row, dict)]
        self._parameters = {row["name"]: row for row in rows if "name" in row}
        self._tensors = {name: row for name, row in self._parameters.items() if "tensor" in row}
        self._is_tested = data.get("role", "tested") == "tested"
        self._copies = False
        # scenes of traits are about values
        self._has_scenes = self._is_tested and data.get("depth") != "contract"

    def products(self, known: Iterable[str]) -> None:
        """Expand lists of products by their support."""
        groups = self.data.get("products")
        if not isinstance(groups, dict) or not groups:
            return
        if not all(isinstance(names, list) for names in groups.values()):
            return
        support = {
            name: (key, at) for key, names in groups.items() for at, name in enumerate(names)
        }
        order = dict.fromkeys([*(name for name in known if name in support), *support])
        self.data["products"] = {name: support[name][0] for name in order}
        for name in order:
            self.merged.origins["products", name] = ("products", *support[name])

    def types(self) -> None:
        """Add rules and values of the attributes that are the data types of tensors."""
        typed = {
            str(name): str(row["dtype"])
            for name, row in self._parameters.items()
            if row.get("attribute") == "dtype" and "dtype" in row
        }
        if not typed:
            return
        rules = []
        for name, of in typed.items():
            tensor = of.removesuffix(".dtype")
            text = f"{name} is the data type of {tensor}"
            place = {"section": "parameters", "item": name}
            rule = {"id": clause_id(name, f"of-{clause_id(tensor, '')}".rstrip("-")), "text": text}
            rules.append({**rule, "where": place, "require": f"same_type({name}, {tensor})"})
        if isinstance(written := self.data.get("rules", []), list):
            self.data["rules"] = [*written, *rules]
        factors = self.data.get("factors", {})
        if isinstance(factors, dict) and isinstance(levels := factors.get("attributes", {}), dict):
            values = {name: [of] for name, of in typed.items()}
            self.data["factors"] = {**factors, "attributes": values | levels}

    def formula(self) -> None:
        """Add what follows from the formula of a tested operator."""
        defaults = FormulaDefaults(self.data)
        if not defaults or not self._has_scenes:
            return
        if isinstance(rows := self.data.get("parameters"), list):
            self.data["parameters"] = [defaults.with_thresholds(row) for row in rows]
        self._copies = bool(defaults.arranged)
        is_simple = defaults.is_elementwise or defaults.is_reduced
        if (is_simple or self._copies) and isinstance(self._traits, list):
            derived = defaults.traits
            if "traits" in self.data and "mutual_broadcast" in derived:
                derived.remove("mutual_broadcast")  # what the spec states
            if derived:
                self._traits = [*dict.fromkeys([*derived, *self._traits])]
                self.data["traits"] = self._traits
            self._default("precision", defaults.precision())
            if isinstance(factors := self.data.get("factors", {}), dict):
                self.data["factors"] = self._factors(defaults, factors)
        if "clauses" not in self.data:
            self._default("clauses", [self._promised_elements()])
        if isinstance(clauses := self.data["clauses"], list):
            self.data["clauses"] = [_complete(defaults.texts(), clause) for clause in clauses]
            self._all_elements(self.data["clauses"])

    def _factors(self, defaults: FormulaDefaults, written: Mapping[Any, Any]) -> dict[Any, Any]:
        """Return what varies: what a spec states, and what follows from its formula."""
        kinds = defaults.fill()
        factors: dict[Any, Any] = {"fill": kinds, "never_same": defaults.never_same(), **written}
        if self._copies and isinstance(fill := written.get("fill"), dict):
            factors["fill"] = kinds | fill
        if defaults.is_reduced and isinstance(levels := written.get("attributes", {}), dict):
            factors["attributes"] = defaults.axis_levels() | levels
            if condition := defaults.has_elements():
                factors.setdefault("data_dependent", condition)
        return factors

    def _promised_elements(self) -> dict[str, Any]:
        """Return the clause about all elements but those of which nothing is promised."""
        silences = self.data.get("not_promised")
        conditions = [
            f"not ({silence['when']})"
            for silence in (silences.values() if isinstance(silences, dict) else ())
            if isinstance(silence, dict) and "when" in silence
            # clauses have no products
            if silence.keys().isdisjoint(("products", "output"))
        ]
        clause = {"id": "formula"}
        if conditions:
            clause["when"] = " and ".join(conditions)
            self._never_alone(clause, "Nothing is promised of the elements that it leaves out.")
        return clause

    def _default(self, key: str, value: Any) -> None:
        if key not in self.data:
            self.data[key] = value
            self.merged.origins[key,] = ("formula",)

    def _all_elements(self, clauses: list[Any]) -> None:
        """State that no element can break a clause about all of them alone."""
        for clause in clauses:
            if isinstance(clause, dict) and "when" not in clause:
                self._never_alone(clause, "It speaks of every element.")

    def _never_alone(
        self, clause: Mapping[Any, Any], reason: str, products: Sequence[str] = ()
    ) -> None:
        direction = {"clause": clause.get("id"), "missing": "negative"}
        written = list_of(self.data.get("one_sided"))
        directions = (
            direction for row in written if isinstance(row, dict) for direction in _split(row)
        )
        if direction not in directions:
            on = {"products": [*products]} if products else {}
            self.data["one_sided"] = [*written, {**direction, **on, "reason": reason}]

    def clauses(self) -> None:
        """Expand the places of rules and clauses, and the products of clauses on Inf and NaN."""
        for section in ("rules", "clauses"):
            if isinstance(self.data.get(section), list):
                self.data[section] = [_expand_place(item) for item in self.data[section]]
        for clause in list_of(self.data.get("clauses")):
            if isinstance(clause, dict) and clause.get("expect") in _NO_INFINITY:
                clause.setdefault("needs_inf_nan", True)

    def errors(self) -> None:
        """Expand the error table, and add the clauses that follow from the other tables."""
        written = self.data.get("errors", [])
        clauses: list[Any] = []
        if isinstance(written, dict):
            for key, rows in written.items():
                clauses += self._rows(key, rows, len(clauses))
        elif isinstance(written, list):
            clauses = [_expand_place(item) for item in written]
        else:
            return
        keys = {key for item in clauses if isinstance(item, dict) for key in item}
        for kind in map(KINDS.__getitem__, DERIVED if self._is_tested else ()):
            concerned = kind.derived_value(self._row({}, []))
            if kind.key not in keys | self._underived and concerned:
                table = "products" if kind.covers == "product" else "parameters"
                self.merged.origins["errors", len(clauses)] = (table,)
                products = kind.derived_products(self._row({}, []))
                defaults = {} if products is None else {"products": products}
                clauses.append(self._clause({kind.key: concerned}, "requirement", defaults))
        self.data["errors"] = clauses

    def conversions(self) -> None:
        """State that no call breaks a row on conversion alone, if all supported types convert."""
        types = {role: self._listed_types(role) for role in ("input", "output")}
        convert = all_castable(types["input"], types["output"])
        rows = [row for row in list_of(self.data.get("errors")) if isinstance(row, dict)]
        refused = {n for row in rows for n in list_of(row.get("dtype_outside_support"))}
        for row in rows:
            names = [str(name) for name in list_of(row.get("not_castable"))]
            if names and convert and refused.issuperset(names):
                predicate = f"converts to each of {listed(names)}."
                self._never_alone(row, f"What is promoted from supported data types {predicate}")
        self._promotions(rows, refused)

    def _promotions(self, rows: Sequence[Mapping[Any, Any]], refused: set[str]) -> None:
        """State which rows on data types no call breaks alone, because others refuse it, too."""
        promoted = {n for row in rows for n in list_of(row.get("not_promotable"))}
        converted = {n for row in rows for n in list_of(row.get("not_castable"))}
        for row in rows:
            names = [str(name) for name in list_of(row.get("not_promotable"))]
            alike = [p for p in self._supported if self._have_common_types(names, p)]
            if alike and refused.issuperset(names):
                on = [] if alike == self._supported else alike
                self._never_alone(row, "All supported data types have a common one.", on)
            names = [str(name) for name in list_of(row.get("dtype_outside_support"))]
            for name in names:
                whole = [p for p in self._supported if not self._refused_types(name, p)]
                if whole and "dtypes" in self._tensors.get(name, {}):
                    clause = {"id": clause_id(name, "dtype")}
                    self._never_alone(clause, "All data types are supported.", whole)
            tensors = {name for name in names if "tensor" in self._parameters.get(name, {})}
            checked = (promoted | converted) & tensors
            apart = [p for p in self._supported if self._are_apart(checked, names, p)]
            if names and apart:
                reason = "A data type that is not supported has no common one with others, either."
                self._never_alone(row, reason, apart)

    def _are_apart(self, promoted: AbstractSet[str], names: Iterable[str], product: str) -> bool:
        """Whether each unsupported data type lacks a common one that parameters must have."""
        refused = {name: types for name in names if (types := self._refused_types(name, product))}
        apart = {*UNPROMOTABLE}
        tensors = [self._tensors[name] for name in refused if name in self._tensors]
        is_written = any(row["tensor"] != "input" for row in tensors)
        if "condition" not in self._traits and not is_written:
            # no output of real numbers has the type promoted from a complex input
            apart |= {each.name for each in DATA_TYPES.values() if each.numpy.kind == "c"}
        return (promoted & self._tensors.keys()) >= refused.keys() and all(
            types <= apart for types in refused.values()
        )

    def _have_common_types(self, names: Iterable[str], product: str) -> bool:
        types = {name: self._types_of(name, product) & {*DATA_TYPES} for name in names}
        by_tensor = [types[name] for name in types if name in self._tensors]
        of_tensors = {dtype for each in by_tensor for dtype in each}
        of_scalars = {dtype for name in types if name not in self._tensors for dtype in types[name]}
        pairs = (
            pair
            for one, other in itertools.combinations(by_tensor, 2)
            for pair in itertools.product(one, other)
        )
        beside = itertools.product(of_tensors, of_scalars)
        return bool(of_tensors) and not (
            any(promote(pair) is None for pair in pairs)
            or any(promote([tensor], [scalar]) is None for tensor, scalar in beside)
        )

    def _refused_types(self, name: str, product: str) -> set[str]:
        """Return the data types with which calls are broken that a parameter does not support."""
        return {*REFUSED_DTYPES, *RARE_DTYPES} - self._types_of(name, product)

    @property
    def _supported(self) -> list[str]:
        support = self.data.get("products")
        by_product = support.items() if isinstance(support, dict) else ()
        return [str(product) for product, level in by_product if level == "supported"]

    def _types_of(self, name: str, product: str | None = None) -> set[str]:
        """Return the data types of a parameter, on a product or on all."""
        row = self._parameters.get(name, {})
        on: Any = row.get("dtypes_on", {})
        untested: Any = row.get("untested_on", {})
        if not isinstance(on, dict) or not isinstance(untested, dict):
            return set()
        types = list_of(on.get(product, row.get("dtypes")))
        further = untested.values() if product is None else [untested.get(product)]
        return {str(each) for group in (types, *map(list_of, further)) for each in group}

    def _listed_types(self, role: str) -> set[str]:
        """Return the data types of all outputs, or of all inputs and scalars."""
        rows = [
            row
            for row in self._parameters.values()
            if row.get("tensor", "input") in (role, "inout")
        ]
        names = {str(name) for row in rows for name in list_of(row.get("dtypes"))}
        if role == "output" and "promotion" in self._traits:
            names |= {n for row in rows for n in self._types_of(str(row.get("name")))}
        return names & {*DATA_TYPES}

    def _rows(self, key: Any, rows: Any, start: int) -> list[Any]:
        """Return the clauses under a status or a basis, in the order of the page's rows."""
        at: Location = ("errors", key)
        if key not in (*STATUSES, "refusal", "requirement"):
            headings = (*list(STATUSES)[1:], "refusal", "requirement")
            self.complaints.append((at, str(unknown_name("status or basis", str(key), headings))))
            return []
        if not isinstance(rows, list):
            self.complaints.append((at, f"{key}: must be a list, an entry for each row"))
            return []
        clauses, number = [], 0
        for place, row in enumerate(rows):
            self.merged.origins["errors", start + place] = (*at, place)
            if not isinstance(row, dict):
                clauses.append(row)
                continue
            number = row.get("row", number + 1)
            if key not in STATUSES:
                clauses.append(self._clause(row, key, {}))
                continue
            item = [key]
            if ("row" in row or len(rows) > 1) and number in range(1, len(ORDINALS) + 1):
                item.append(f"{ORDINALS[number - 1]} row")
            if "item" in row:
                item.append(row["item"])
            where = {"section": "errors", "item": ", ".join(map(str, item))}
            clauses.append(self._clause(row, "status", {"where": where, "status": key}))
        return clauses

    def _clause(
        self, row: Mapping[str, Any], basis: str, defaults: Mapping[str, Any]
    ) -> dict[str, Any]:
        """Return the full form of a row: id, text and place follow from its violation."""
        keys = [key for key in KINDS if key in row]
        kind = KINDS[keys[0]] if len(keys) == 1 else None
        clause: dict[str, Any] = {"basis": basis, "where": None, "id": None, "text": None}
        if kind:
            names = [str(name) for name in list_of(row.get(kind.key))]
            full_row = self._row(row, names)
            clause |= {"where": _place(kind, names), "id": kind.id_of(full_row)}
            clause["text"] = _text(kind, full_row, basis)
        if "item" in row and (kind is None or kind.covers != "product"):
            clause["where"] = {"section": "parameters", "item": row["item"]}
        clause |= defaults
        clause |= {name: value for name, value in row.items() if name not in ("row", "item")}
        if kind and kind.form == "assignments":
            clause[kind.key] = _assignments(row[kind.key])
        full: dict[str, Any] = _expand_place({k: v for k, v in clause.items() if v is not None})
        return full

    def _row(self, full_row: Mapping[str, Any], names: list[str]) -> Row:
        return Row(names, full_row, self._parameters, self.data.get("products"))

    def silences(self) -> None:
        """Expand ``not_promised``, and add the usual entries."""
        written = self.data.get("not_promised", {})
        if not isinstance(written, dict):
            return
        texts: dict[Any, Any] = dict(written)
        if self._is_tested:
            texts |= {key: text for key, text in self._silent().items() if key not in texts}
        entries = [(key, text) for key, text in texts.items() if text is not None]
        self.data["not_promised"] = [
            {"id": key, **(entry if isinstance(entry, dict) else {"text": entry})}
            for key, entry in entries
        ]
        for number, (key, _) in enumerate(entries):
            origin = ("not_promised", key) if key in written else ("parameters",)
            self.merged.origins["not_promised", number] = origin

    def _silent(self) -> dict[str, str]:
        texts = {} if self._copies else {"zero-sign": "the sign of a result that is 0"}
        if any(item.get("id") == "format-private" for item in list_of(self.data.get("errors"))):
            texts["public-formats"] = (
                "formats beside ND that are no private ones, such as NCHW; the page lists ND and "
                "refuses none of them"
            )
        if self.data.get("determinism", "unpromised") == "unpromised":
            texts["repeatability"] = _REPEATABILITY
        return texts

    def spread(self, section: str, key: str) -> None:
        """Expand each entry of a section that has several names under a key into one per name."""
        if not isinstance(written := self.data.get(section), list):
            return
        entries: list[Any] = []
        for number, entry in enumerate(written):
            names = entry.get(key) if isinstance(entry, dict) else None
            for name in names if isinstance(names, list) else [None]:
                self.merged.origins[section, len(entries)] = (section, number)
                entries.append(entry if name is None else {**entry, key: name})
        self.data[section] = entries

    def traits(self, traits: Mapping[str, Trait]) -> None:
        """Add the traits' derived names, and merge the spec's scenes into the traits'."""
        derived: dict[str, Any] = {}
        trait_scenes: dict[str, Any] = {}
        for number, trait in enumerate(list_of(self._traits)):
            if trait not in traits:
                text = str(unknown_name("trait", str(trait), traits))
                self.complaints.append((("traits", number), text))
                continue
            derived |= traits[trait].derived
            if self._has_scenes:
                trait_scenes |= self._substitute(traits[trait].scenes)
        if derived:
            self.merged.origins |= {("derived", name): ("traits",) for name in derived}
            own_names = self.data.get("derived", {})
            self.data["derived"] = (
                {**derived, **own_names} if isinstance(own_names, dict) else own_names
            )
        self._merge_scenes({key: scene for key, scene in trait_scenes.items() if scene is not None})
        for scene in list_of(self.data["scenes"]):
            if isinstance(scene, dict) and isinstance(scene.get("each"), dict):
                scene["each"] = _variants(scene["each"])

    def _merge_scenes(self, trait_scenes: Mapping[str, Any]) -> None:
        """Add the scenes of traits before those of the spec, which may change them."""
        written = self.data.get("scenes", {})
        if isinstance(written, list):
            written_ids = {
                item["id"] for item in written if isinstance(item, dict) and "id" in item
            }
            scenes = [
                {"id": name, **scene}
                for name, scene in trait_scenes.items()
                if name not in written_ids
            ]
            self.merged.origins |= {
                ("scenes", len(scenes) + number): ("scenes", number)
                for number in range(len(written))
            }
            self.data["scenes"] = [*scenes, *written]
        else:
            base = [{"id": name, **scene} for name, scene in trait_scenes.items()]
            merged = merge({"scenes": base}, {"scenes": written})
            self.data["scenes"] = merged.data["scenes"]
            self.merged.origins |= merged.origins
            self.complaints += [
                (
                    at,
                    f"{at[-1]!r} is not a scene of "
                    f"{', '.join(map(str, self._traits)) or 'a trait'}",
                )
                for at in merged.idle
            ]

    def _substitute(self, scene: Any) -> Any:
        """Return scenes of a trait with the operator's own names of parameters."""
        if isinstance(scene, dict):
            return {
                name: self._substitute(value)
                for key, value in scene.items()
                for name in self._parameter_names(key)
            }
        return [self._substitute(item) for item in scene] if isinstance(scene, list) else scene

    def _parameter_names(self, key: Any) -> list[Any]:
        inputs = {name: row for name, row in self._tensors.items() if row["tensor"] != "output"}
        names: Iterable[str] = (key,)
        if key == "$inputs":
            return [*inputs]
        if key == "$floating":
            # one element that is beyond all others, or no number, would hide them
            several = {name: row for name, row in inputs.items() if not is_single(row.get("shape"))}
            return [name for name, row in several.items() if _may_be_floating(row)]
        if key == "$free":
            # if none is free, the checks report the first one's shape
            names = (*(name for name, row in inputs.items() if "shape" not in row), *inputs)
        if key == "$broadcast":
            names = (name for name, row in inputs.items() if _is_broadcast(row.get("shape")))
        if key == "$axes":
            rows = self._parameters.items()
            names = (name for name, row in rows if row.get("attribute") in ("ints", "int64"))
        if key == "$mask":
            names = (name for name, row in inputs.items() if "uint8" in list_of(row.get("dtypes")))
        return [next(iter(names), key)]

    def editions(self) -> None:
        """Expand the changes of each edition; without an error table, refusals have no status."""
        editions = self.data.get("editions")
        if not isinstance(editions, dict):
            return
        self.data["editions"] = {name: self._edition(item) for name, item in editions.items()}

    def _edition(self, edition: Any) -> Any:
        changes = edition.get("changes", {}) if isinstance(edition, dict) else None
        if not isinstance(changes, dict):
            return edition
        changes = dict(changes)
        for section in ("rules", "clauses", "errors"):
            if isinstance(changes.get(section), dict):
                changes[section] = {
                    key: _expand_place(item) for key, item in changes[section].items()
                }
        silences = changes.get("not_promised", {})
        if changes.get("determinism") == "unpromised" and isinstance(silences, dict):
            silences = {"repeatability": _REPEATABILITY, **silences}
        if silences and isinstance(silences, dict):
            changes["not_promised"] = {
                key: {"text": item} if isinstance(item, str) else item
                for key, item in silences.items()
            }
        if edition.get("statuses") == "unreadable":
            changes["errors"] = self._without_statuses(changes.get("errors", {}))
            edition = {**edition, "unreadable": [_LOST, *list_of(edition.get("unreadable"))]}
        return {**edition, "changes": changes}

    def _without_statuses(self, changes: Mapping[Any, Any]) -> dict[Any, Any]:
        """Return changes of errors after which no refusal has a status."""
        errors = dict(changes)
        for clause in list_of(self.data.get("errors")):
            if isinstance(clause, dict) and clause.get("basis") == "status":
                change = errors.get(clause.get("id"), {})
                if isinstance(change, dict):
                    errors[clause.get("id")] = {"basis": "refusal", "status": None, **change}
        return errors


def _split(one_sided: Mapping[Any, Any]) -> Iterator[dict[str, Any]]:
    """Yield clause and direction of an entry, which may name several clauses."""
    clause, missing = one_sided.get("clause"), one_sided.get("missing")
    for name in clause if isinstance(clause, list) else [clause]:
        yield {"clause": name, "missing": missing}


def _expand_place(item: Any) -> Any:
    """Return a copy of a clause with the full form of its place."""
    if isinstance(item, dict) and isinstance(item.get("where"), str):
        return {**item, "where": split_place(item["where"])}
    return dict(item) if isinstance(item, dict) else item


def _complete(formula: str, clause: Any) -> Any:
    """Return a value clause with text and place; both follow from the formula."""
    if not isinstance(clause, dict):
        return clause
    result = formula if clause.get("expect", "value") == "value" else f"{clause['expect']} is right"
    condition = f" where {clause['when']}" if "when" in clause else ""
    return {"text": result + condition, "where": PLACE, **clause}


def _place(kind: Kind, names: list[str]) -> dict[str, str] | None:
    """Return the place of a requirement, unless a row states it."""
    if kind.covers == "product":
        return {"section": "products", "item": "table"}
    if kind.column is None:
        return None
    return {"section": "parameters", "item": kind.column.format(listed(names))}


def _text(kind: Kind, row: Row, basis: str) -> str | None:
    if basis != "requirement" and kind.refused:
        return kind.refused.format(listed(row.names, "or"))
    if not kind.compared:
        are, have = ("are", "have") if len(row.names) > 1 else ("is", "has")
        return kind.required and kind.required.format(listed(row.names), are=are, have=have)
    # equal ones together
    groups: dict[object, list[str]] = {}
    for name in row.names:
        groups.setdefault(kind.requirement(row, name), []).append(name)
    return "; ".join(
        f"{listed(group)} {'have' if len(group) > 1 else 'has'} {kind.compared.format(value)}"
        for value, group in groups.items()
    )


def _assignments(values: Any) -> Any:
    """Return a mapping of names to values as a list of single assignments."""
    if not isinstance(values, dict):
        return values
    return [{name: value} for name, several in values.items() for value in list_of(several)]


def _is_broadcast(shape: Any) -> bool:
    return isinstance(shape, dict) and not shape.keys().isdisjoint(_PARTNERS)


def _may_be_floating(row: Mapping[str, Any]) -> bool:
    """Whether a tensor's own data types, or those that it follows, may be floating."""
    data_types = (DATA_TYPES.get(name) for name in list_of(row.get("dtypes")))
    return "dtypes" not in row or any(data_type and data_type.floating for data_type in data_types)


def _variants(columns: Mapping[Any, Any]) -> Any:
    """Return the variants of a scene from the value lists of its settings."""
    values = {
        (section, name): values
        for section, names in columns.items()
        if isinstance(names, dict)
        for name, values in names.items()
    }
    lengths = {len(value) if isinstance(value, list) else -1 for value in values.values()}
    if len(lengths) != 1 or -1 in lengths:
        return columns
    variants: list[dict[str, dict[str, Any]]] = [{} for _ in range(lengths.pop())]
    for (section, name), levels in values.items():
        for variant, level in zip(variants, levels, strict=True):
            variant.setdefault(section, {})[name] = level
    return variants
