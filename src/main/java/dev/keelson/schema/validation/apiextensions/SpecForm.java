package dev.keelson.schema.validation.apiextensions;

import dev.keelson.object.Node;
import dev.keelson.object.Node.MapNode;
import dev.keelson.schema.validation.Value;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * The spec of a definition as Kubernetes' unversioned type has it: what all versions have alike
 * stands at the top, which is the case with a single version, and the paths of causes follow.
 *
 * @param spec the spec as it is
 * @param shared what all versions have alike, with the paths {@code spec.validation}, {@code
 *     spec.subresources}, {@code spec.additionalPrinterColumns} and {@code spec.selectableFields}
 * @param versions what each version has for itself
 */
record SpecForm(Value spec, Parts shared, List<Parts> versions) {

  /**
   * The parts of a version that may be shared; each is absent where it is not set.
   *
   * @param at the version, or the spec
   */
  record Parts(Value at, Value schema, Value subresources, Value columns, Value selectableFields) {

    /** The root of the schema, absent if there is none. */
    Value root() {
      return schema.get("openAPIV3Schema");
    }

    boolean hasStatus() {
      return subresources.get("status").present();
    }
  }

  /** The form of the spec of {@code definition}. */
  static SpecForm of(Value definition) {
    Value spec = definition.get("spec");
    Value versions = spec.get("versions");
    boolean schema = alike(versions, "schema");
    boolean subresources = alike(versions, "subresources");
    boolean columns = alike(versions, "additionalPrinterColumns");
    boolean selectable = schema && alike(versions, "selectableFields");
    List<Parts> each = new ArrayList<>(versions.size());
    for (Value version : versions) {
      each.add(
          new Parts(
              version,
              kept(version, "schema", schema),
              kept(version, "subresources", subresources),
              kept(version, "additionalPrinterColumns", columns),
              kept(version, "selectableFields", selectable)));
    }
    Value first = versions.at(0);
    Parts shared =
        new Parts(
            spec,
            moved(spec, "validation", first.get("schema"), schema),
            moved(spec, "subresources", first.get("subresources"), subresources),
            moved(spec, "additionalPrinterColumns", first.get("additionalPrinterColumns"), columns),
            moved(spec, "selectableFields", first.get("selectableFields"), selectable));
    return new SpecForm(spec, shared, each);
  }

  private static boolean alike(Value versions, String field) {
    @Nullable Node first = versions.at(0).get(field).node();
    for (Value version : versions) {
      if (!Objects.equals(version.get(field).node(), first)) {
        return false;
      }
    }
    return versions.size() > 0;
  }

  private static Value kept(Value version, String field, boolean moved) {
    Value part = version.get(field);
    return moved ? part.holding(null) : part;
  }

  private static Value moved(Value spec, String field, Value part, boolean moved) {
    return spec.get(field).holding(moved ? part.node() : null);
  }

  /** The versions as the unversioned type has them, for causes that show them. */
  Value shownVersions() {
    List<Node> shown = new ArrayList<>(versions.size());
    for (Parts version : versions) {
      MapNode own = version.at.map();
      for (Value part :
          List.of(
              version.schema, version.subresources, version.columns, version.selectableFields)) {
        own = part.present() ? own : own.without(part.name());
      }
      shown.add(own);
    }
    Value all = spec.get("versions");
    return all.present() ? all.holding(new Node.Items(shown)) : all;
  }

  /** Whether unknown fields are stored. */
  boolean preservesUnknownFields() {
    return spec.get("preserveUnknownFields").flag();
  }

  /** The schemas of all versions, those that are alike once; without versions that have none. */
  List<Value> schemas() {
    return Stream.concat(Stream.of(shared), versions.stream())
        .map(Parts::root)
        .filter(Value::present)
        .toList();
  }

  /** Whether a version has the subresource status. */
  boolean hasAnyStatus() {
    return shared.hasStatus() || versions.stream().anyMatch(Parts::hasStatus);
  }

  /** Whether versions have the subresource status, by their names; the first of a name counts. */
  Map<String, Boolean> statuses() {
    boolean own = versions.stream().anyMatch(version -> version.subresources().present());
    Map<String, Boolean> statuses = new HashMap<>();
    for (Parts version : versions) {
      boolean has = own ? version.hasStatus() : shared.hasStatus();
      Boolean unused = statuses.putIfAbsent(version.at().get("name").text(), has);
    }
    return statuses;
  }

  /** The versions as they were sent, by their names; the first of a name counts. */
  Map<String, Value> byName() {
    Map<String, Value> byName = new HashMap<>();
    for (Value version : spec.get("versions")) {
      Value unused = byName.putIfAbsent(version.get("name").text(), version);
    }
    return byName;
  }
}
