package dev.keelson.schema;

import dev.keelson.api.GroupVersion;
import dev.keelson.api.GroupVersionKind;
import dev.keelson.api.KubeAwareVersionOrder;
import dev.keelson.api.Verb;
import dev.keelson.object.Node;
import dev.keelson.object.Node.MapNode;
import dev.keelson.schema.SchemaNode.StructSchema;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.Comparator;
import java.util.EnumSet;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.Function;

/**
 * Turns a CustomResourceDefinition into the rows of its served versions. Reads no schema: a row
 * costs little until a request needs its type.
 */
public final class CustomResourceRows {

  /** The paths of the fields that {@link #of} reads, for an excerpt of a stored definition. */
  public static final List<String> FIELDS =
      List.of(
          "metadata.name",
          "metadata.uid",
          "metadata.generation",
          "metadata.deletionTimestamp",
          "spec.group",
          "spec.scope",
          "spec.names",
          "spec.versions.name",
          "spec.versions.served",
          "spec.versions.storage",
          "spec.versions.deprecated",
          "spec.versions.deprecationWarning",
          "spec.versions.subresources",
          "spec.versions.selectableFields",
          "status.acceptedNames",
          "status.conditions");

  /**
   * The order of the rows of all definitions: groups by name, the preferred version of a group
   * first, resources by name.
   */
  public static final Comparator<ResourceDefinition> ORDER =
      Comparator.comparing((ResourceDefinition row) -> row.gvr().group())
          .thenComparing(row -> row.gvr().version(), KubeAwareVersionOrder.PREFERRED_FIRST)
          .thenComparing(row -> row.gvr().resource());

  private static final String META = "io.k8s.apimachinery.pkg.apis.meta.v1.ObjectMeta";

  private static final Set<Verb> ALL_VERBS =
      Collections.unmodifiableSet(EnumSet.complementOf(EnumSet.of(Verb.CONNECT)));

  /** What is left while the definition is being deleted. */
  private static final Set<Verb> TERMINATING_VERBS =
      Collections.unmodifiableSet(
          EnumSet.of(Verb.DELETE, Verb.DELETE_COLLECTION, Verb.GET, Verb.LIST, Verb.WATCH));

  private final Function<String, StructSchema> structs;

  /**
   * Rows whose metadata and scales have built-in types.
   *
   * @param structs gives the schema of a message by its full name
   */
  public CustomResourceRows(Function<String, StructSchema> structs) {
    this.structs = structs;
  }

  /** Whether a definition is served: its names are accepted and it is established. */
  public static boolean isServed(MapNode definition) {
    return hasCondition(definition, "Established");
  }

  /** Whether a definition is being deleted. */
  public static boolean isTerminating(MapNode definition) {
    return hasCondition(definition, "Terminating")
        || !definition.map("metadata").text("deletionTimestamp").isEmpty();
  }

  /** The part of a spec that {@link #FIELDS} name. */
  public static MapNode withoutSchemas(MapNode spec) {
    List<Node> versions = new ArrayList<>();
    for (MapNode version : spec.maps("versions")) {
      versions.add(version.without("schema").without("additionalPrinterColumns"));
    }
    return spec.without("conversion").with("versions", new Node.Items(versions));
  }

  /** The part of a status on which rows depend. */
  public static MapNode decisive(MapNode status) {
    Map<String, String> conditions = new TreeMap<>();
    status.maps("conditions").stream()
        .filter(c -> c.text("type").equals("Established") || c.text("type").equals("Terminating"))
        .forEach(c -> conditions.put(c.text("type"), c.text("status")));
    List<Node> kept = new ArrayList<>();
    conditions.forEach(
        (type, value) ->
            kept.add(MapNode.of("type", Node.text(type)).with("status", Node.text(value))));
    return MapNode.of("acceptedNames", status.map("acceptedNames"))
        .with("conditions", new Node.Items(kept));
  }

  private static boolean hasCondition(MapNode definition, String type) {
    return definition.map("status").maps("conditions").stream()
        .anyMatch(c -> c.text("type").equals(type) && c.text("status").equals("True"));
  }

  /**
   * The rows of the served versions, the preferred one first.
   *
   * @param resource the definition
   * @param definition its tree, of which only {@link #FIELDS} are read
   * @return empty if no version is served or stored
   */
  public List<ResourceDefinition> of(CustomResource resource, MapNode definition) {
    MapNode spec = definition.map("spec");
    String group = spec.text("group");
    List<MapNode> versions = new ArrayList<>(spec.maps("versions"));
    versions.sort(
        (one, other) ->
            KubeAwareVersionOrder.PREFERRED_FIRST.compare(one.text("name"), other.text("name")));
    MapNode names = definition.map("status").map("acceptedNames");
    String kind = names.text("kind");
    String storage = "";
    for (MapNode version : versions) {
      storage = isSet(version, "storage") ? version.text("name") : storage;
    }
    if (storage.isEmpty() || kind.isEmpty()) {
      return List.of();
    }
    ResourceRow.Types types = new Types(resource, group, kind);
    List<ResourceDefinition> rows = new ArrayList<>();
    for (MapNode version : versions) {
      if (isSet(version, "served")) {
        ResourceRow row = row(definition, names, new GroupVersion(group, version.text("name")));
        row.storedAs(new GroupVersion(group, storage));
        addSubresources(row, version.map("subresources"));
        addLabels(row, spec, version);
        if (isSet(version, "deprecated")) {
          row.deprecated(deprecation(spec, version, kind));
        }
        rows.add(row.definition(types));
      }
    }
    return rows;
  }

  private static ResourceRow row(MapNode definition, MapNode names, GroupVersion version) {
    String plural = names.text("plural");
    Scope scope = isNamespaced(definition.map("spec")) ? Scope.NAMESPACED : Scope.CLUSTER;
    String kind = names.text("kind");
    String listKind = names.text("listKind");
    return new ResourceRow(
            version, plural, kind, scope, isTerminating(definition) ? TERMINATING_VERBS : ALL_VERBS)
        .singular(names.text("singular"))
        .listKind(listKind.isEmpty() ? kind + "List" : listKind)
        .shortNames(texts(names, "shortNames"))
        .categories(texts(names, "categories"))
        .keys(version.group() + "/" + plural)
        .generation()
        .conditionalUpdate()
        .withoutStrategicMerge()
        .unsupportedLabel(FieldLabels.UNSUPPORTED);
  }

  private static void addSubresources(ResourceRow row, MapNode subresources) {
    if (subresources.get("status") instanceof MapNode) {
      row.status().statusKeepsAllMetadata();
    }
    if (subresources.get("scale") instanceof MapNode) {
      row.scale();
    }
  }

  /** The field labels; those of custom resources include the namespace only if they have one. */
  private static void addLabels(ResourceRow row, MapNode spec, MapNode version) {
    if (!isNamespaced(spec)) {
      row.withoutNamespaceLabel();
    }
    for (MapNode field : version.maps("selectableFields")) {
      String path = field.text("jsonPath");
      row.selectable(path.startsWith(".") ? path.substring(1) : path);
    }
  }

  /** The declared warning, or the one that kube-apiserver composes. */
  private static String deprecation(MapNode spec, MapNode version, String kind) {
    if (version.get("deprecationWarning") instanceof Node.Text declared) {
      return declared.value();
    }
    String name = version.text("name");
    String group = spec.text("group");
    String warning = group + "/" + name + " " + kind + " is deprecated";
    return spec.maps("versions").stream()
        .filter(other -> isSet(other, "served") && !isSet(other, "deprecated"))
        .map(other -> other.text("name"))
        .filter(other -> KubeAwareVersionOrder.PREFERRED_FIRST.compare(other, name) < 0)
        .min(KubeAwareVersionOrder.PREFERRED_FIRST)
        .map(newer -> warning + "; use " + group + "/" + newer + " " + kind)
        .orElse(warning);
  }

  private static boolean isNamespaced(MapNode spec) {
    return spec.text("scope").equals("Namespaced");
  }

  private static boolean isSet(MapNode map, String name) {
    return map.get(name) == Node.Bool.TRUE;
  }

  private static String[] texts(MapNode map, String name) {
    return map.items(name).stream()
        .filter(Node.Text.class::isInstance)
        .map(text -> ((Node.Text) text).value())
        .toArray(String[]::new);
  }

  /** The types of one definition: one schema a version, one stored type. */
  private final class Types implements ResourceRow.Types {
    private final CustomResource resource;
    private final String group;
    private final String kind;
    private final Map<String, StructSchema> schemas = new HashMap<>();
    private final Map<String, StoredType> stored = new HashMap<>();

    Types(CustomResource resource, String group, String kind) {
      this.resource = resource;
      this.group = group;
      this.kind = kind;
    }

    @Override
    public StructSchema schema(GroupVersionKind type) {
      if (!type.group().equals(group) || !type.kind().equals(kind)) {
        return structs.apply(
            "io.k8s.api." + type.group() + "." + type.version() + "." + type.kind());
      }
      return schemas.computeIfAbsent(type.version(), this::custom);
    }

    private StructSchema custom(String version) {
      List<String> labels = new ArrayList<>(Arrays.asList(group.split("\\.", -1)));
      Collections.reverse(labels);
      return new StructSchema(
          String.join(".", labels) + "." + version + "." + kind,
          new CustomResourceVersion(resource, version, structs.apply(META)));
    }

    @Override
    public StoredType stored(String keyPrefix, GroupVersionKind type) {
      return stored.computeIfAbsent(
          keyPrefix, prefix -> new StoredType(prefix, type, schema(type)));
    }

    @Override
    public StoredType stored(String keyPrefix, GroupVersionKind type, GroupVersionKind served) {
      StoredType written = stored(keyPrefix, type);
      return served.equals(type)
          ? written
          : new StoredType(keyPrefix, served, schema(served), written);
    }
  }
}
