package dev.keelson.schema.openapi.operation;

import dev.keelson.api.GroupVersionKind;
import dev.keelson.schema.ResourceDefinition;
import dev.keelson.schema.SchemaNode;
import dev.keelson.schema.SchemaNode.Scalar;
import dev.keelson.schema.SchemaNode.StructSchema;
import dev.keelson.schema.Subresource;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** The operations of one resource or subresource. */
final class ResourceOperations {

  private static final int OK = 200;
  private static final int CREATED = 201;
  private static final int ACCEPTED = 202;
  private static final Set<String> WATCH_OPTIONS = Set.of("watch", "allowWatchBookmarks");

  /**
   * Resources whose deletes are documented to answer the object (source: {@code
   * ReturnDeletedObject} of their stores).
   */
  private static final Set<String> DOCUMENTED_DELETIONS =
      Set.of(
          "persistentvolumeclaims",
          "persistentvolumes",
          "pods",
          "podtemplates",
          "resourcequotas",
          "serviceaccounts",
          "services",
          "csidrivers.storage.k8s.io",
          "csinodes.storage.k8s.io",
          "storageclasses.storage.k8s.io",
          "volumeattachments.storage.k8s.io",
          "volumeattributesclasses.storage.k8s.io",
          "deviceclasses.resource.k8s.io",
          "resourceclaims.resource.k8s.io",
          "resourceclaimtemplates.resource.k8s.io",
          "resourceslices.resource.k8s.io");

  private final MetaTypes types;
  private final Descriptions descriptions;
  private final ResourceDefinition definition;
  private final GroupVersionKind kind;
  private final StructSchema schema;
  private final String suffix;

  ResourceOperations(MetaTypes types, Descriptions descriptions, ResourceDefinition definition) {
    this(types, descriptions, definition, definition.gvk(), definition.schema(), "");
  }

  private ResourceOperations(
      MetaTypes types,
      Descriptions descriptions,
      ResourceDefinition definition,
      GroupVersionKind kind,
      StructSchema schema,
      String suffix) {
    this.types = types;
    this.descriptions = descriptions;
    this.definition = definition;
    this.kind = kind;
    this.schema = schema;
    this.suffix = suffix;
  }

  /** The same on a sub-path. */
  ResourceOperations of(Subresource sub) {
    return new ResourceOperations(
        types,
        descriptions,
        definition,
        sub.kind(),
        sub.schema(),
        OperationId.camel(sub.name(), /* capital= */ true));
  }

  /** The streams and passed-on requests of a sub-path. */
  ConnectOperations connect(Subresource sub) {
    return new ConnectOperations(
        sub,
        scope() + definition.kind() + suffix,
        with(objectParameters(), options(sub.schema(), Set.of())));
  }

  Operation list(boolean everywhere) {
    String name =
        everywhere ? "list" + definition.kind() + suffix + "ForAllNamespaces" : name("list");
    return operation(
        "get",
        name,
        "Lists objects of kind " + kind.kind() + ", or watches them.",
        "list",
        with(
            everywhere ? List.of(pretty()) : collectionParameters(),
            options("ListOptions", Set.of())),
        null,
        streams(),
        Map.of(OK, types.listOf(definition)));
  }

  Operation create() {
    return operation(
        "post",
        name("create"),
        suffix.isEmpty()
            ? "Creates an object of kind " + kind.kind() + "."
            : "Creates the " + kind.kind() + " of an object of kind " + definition.kind() + ".",
        "post",
        with(
            suffix.isEmpty() ? collectionParameters() : objectParameters(),
            options("CreateOptions", Set.of())),
        new Operation.Body(MediaTypes.ANY, schema, /* required= */ true),
        objects(),
        Map.of(OK, schema, CREATED, schema, ACCEPTED, schema));
  }

  Operation deleteCollection() {
    return operation(
        "delete",
        "deleteCollection" + scope() + definition.kind() + suffix,
        "Deletes the objects of kind " + kind.kind() + " that the selectors choose.",
        "deletecollection",
        with(
            with(collectionParameters(), options("ListOptions", WATCH_OPTIONS)),
            options("DeleteOptions", Set.of())),
        deleteBody(),
        objects(),
        Map.of(OK, types.meta("Status")));
  }

  Operation read() {
    return operation(
        "get",
        name("read"),
        "Reads" + object(),
        "get",
        readParameters(),
        null,
        objects(),
        Map.of(OK, schema));
  }

  /** Reads the log of a pod: text, whatever the type of the subresource. */
  Operation readLog() {
    List<String> produces = new ArrayList<>(List.of("text/plain"));
    produces.addAll(MediaTypes.OBJECTS);
    StructSchema options = types.structs().apply("io.k8s.api.core.v1.PodLogOptions");
    return operation(
        "get",
        name("read"),
        "Reads" + object(),
        "get",
        with(objectParameters(), options(options, Set.of())),
        null,
        produces,
        Map.of(OK, Scalar.STRING));
  }

  Operation replace() {
    return operation(
        "put",
        name("replace"),
        "Replaces" + object(),
        "put",
        with(objectParameters(), options("UpdateOptions", Set.of())),
        new Operation.Body(MediaTypes.ANY, schema, /* required= */ true),
        objects(),
        Map.of(OK, schema, CREATED, schema));
  }

  Operation patch() {
    return operation(
        "patch",
        name("patch"),
        "Changes parts of" + object(),
        "patch",
        with(objectParameters(), options("PatchOptions", Set.of())),
        new Operation.Body(patches(), types.patch(), /* required= */ true),
        objects(),
        Map.of(OK, schema, CREATED, schema));
  }

  Operation delete() {
    StructSchema status =
        DOCUMENTED_DELETIONS.contains(definition.groupResource().toString())
            ? schema
            : types.meta("Status");
    return operation(
        "delete",
        name("delete"),
        "Deletes" + object(),
        "delete",
        with(objectParameters(), options("DeleteOptions", Set.of())),
        deleteBody(),
        objects(),
        Map.of(OK, status, ACCEPTED, status));
  }

  Operation watch() {
    return watch(
        name("watch"),
        "Watches one object of kind "
            + kind.kind()
            + ". Deprecated: list with the parameter watch and a fieldSelector instead.",
        "watch",
        objectParameters());
  }

  Operation watchList(boolean everywhere) {
    return watch(
        everywhere
            ? "watch" + definition.kind() + suffix + "ListForAllNamespaces"
            : name("watch") + "List",
        "Watches objects of kind "
            + kind.kind()
            + ". Deprecated: list with the parameter watch instead.",
        "watchlist",
        everywhere ? List.of(pretty()) : collectionParameters());
  }

  private Operation watch(
      String name, String description, String action, List<Parameter> parameters) {
    return operation(
        "get",
        name,
        description,
        action,
        with(parameters, options("ListOptions", Set.of())),
        null,
        streams(),
        Map.of(OK, types.meta("WatchEvent")));
  }

  private Operation operation(
      String method,
      String name,
      String description,
      String action,
      List<Parameter> parameters,
      Operation.@Nullable Body body,
      List<String> produces,
      Map<Integer, SchemaNode> responses) {
    return new Operation(
        method,
        name,
        description,
        action,
        isCustom() ? definition.gvk() : kind,
        parameters,
        body,
        produces,
        new TreeMap<>(responses));
  }

  private boolean isCustom() {
    return definition.custom() != null;
  }

  private List<String> objects() {
    return isCustom() ? MediaTypes.CUSTOM_OBJECTS : MediaTypes.OBJECTS;
  }

  private List<String> streams() {
    return isCustom() ? MediaTypes.CUSTOM_STREAMS : MediaTypes.STREAMS;
  }

  private List<String> patches() {
    return isCustom() ? MediaTypes.CUSTOM_PATCHES : MediaTypes.PATCHES;
  }

  /** As kube-apiserver has them: reads of custom resources name their option. */
  private List<Parameter> readParameters() {
    return isCustom()
        ? with(objectParameters(), options("GetOptions", Set.of()))
        : objectParameters();
  }

  private Operation.Body deleteBody() {
    return new Operation.Body(MediaTypes.ANY, types.meta("DeleteOptions"), /* required= */ false);
  }

  private String name(String verb) {
    return verb + scope() + definition.kind() + suffix;
  }

  private String scope() {
    return definition.namespaced() ? "Namespaced" : "";
  }

  /** The object that is meant, as the end of a sentence. */
  private String object() {
    return suffix.isEmpty()
        ? " one object of kind " + kind.kind() + "."
        : " the " + suffix.toLowerCase(Locale.ROOT) + " of one " + definition.kind() + ".";
  }

  private List<Parameter> collectionParameters() {
    List<Parameter> parameters = new ArrayList<>(List.of(pretty()));
    if (definition.namespaced()) {
      parameters.add(Parameter.path("namespace", "The namespace that the objects are in."));
    }
    return parameters;
  }

  private List<Parameter> objectParameters() {
    return with(
        collectionParameters(),
        List.of(Parameter.path("name", "The name of the " + kind.kind() + ".")));
  }

  private static Parameter pretty() {
    return Parameter.query("pretty", "string", "If true, the answer is indented.");
  }

  private List<Parameter> options(String name, Set<String> except) {
    return options(types.meta(name), except);
  }

  private List<Parameter> options(StructSchema options, Set<String> except) {
    return Parameter.ofOptions(options, descriptions, except);
  }

  /** Both, without repeating a name. */
  private static List<Parameter> with(List<Parameter> first, List<Parameter> second) {
    List<Parameter> both = new ArrayList<>(first);
    for (Parameter parameter : second) {
      boolean known = first.stream().anyMatch(other -> other.name().equals(parameter.name()));
      if (!known) {
        both.add(parameter);
      }
    }
    return both;
  }
}
