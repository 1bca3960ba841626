package dev.keelson.schema.openapi;

import dev.keelson.api.GroupVersion;
import dev.keelson.api.GroupVersionKind;
import dev.keelson.object.Node;
import dev.keelson.object.Node.Items;
import dev.keelson.object.Node.MapNode;
import dev.keelson.schema.CustomResourceVersion;
import dev.keelson.schema.ResourceDefinition;
import dev.keelson.schema.openapi.custom.ObjectFields;
import dev.keelson.schema.openapi.custom.PublishedSchema;
import dev.keelson.schema.openapi.operation.MetaTypes;
import dev.keelson.schema.openapi.operation.TypeNames;
import java.util.List;

/**
 * The definitions of a custom resource: its objects and their list (source: the builder of
 * apiextensions-apiserver's controller/openapi).
 */
final class CustomSchemas {

  private static final String CONVENTIONS =
      " More info: https://git.k8s.io/community/contributors/devel/sig-architecture/"
          + "api-conventions.md";

  private final Dialect dialect;
  private final ObjectFields objectFields;
  private final ObjectFields listFields;

  CustomSchemas(Dialect dialect) {
    this.dialect = dialect;
    this.objectFields = fields("ObjectMeta", "Standard object's metadata.");
    this.listFields = fields("ListMeta", "Standard list metadata.");
  }

  private ObjectFields fields(String metadata, String description) {
    return new ObjectFields(
        text("APIVersion defines the version of the schema that this object is written in."),
        text("Kind is the type of this object, a CamelCase word."),
        described(description, TypeNames.META + metadata));
  }

  private static MapNode text(String description) {
    return MapNode.of("description", Node.text(description)).with("type", Node.text("string"));
  }

  private MapNode described(String description, String reference) {
    MapNode.Builder schema = MapNode.builder(2).put("description", Node.text(description));
    dialect.putReference(schema, reference);
    return schema.build();
  }

  /** The names of the definitions of a resource. */
  static List<String> names(ResourceDefinition definition) {
    return List.of(definition.schema().name(), MetaTypes.listName(definition));
  }

  /** The definitions of a resource, by name. */
  MapNode of(ResourceDefinition definition, CustomResourceVersion version) {
    return MapNode.builder(2)
        .put(definition.schema().name(), object(definition, version))
        .put(MetaTypes.listName(definition), list(definition))
        .build();
  }

  private MapNode object(ResourceDefinition definition, CustomResourceVersion version) {
    CustomResourceVersion.Published published = version.published();
    MapNode declared = published.schema();
    boolean open = declared.get("x-kubernetes-preserve-unknown-fields") == Node.Bool.TRUE;
    // kubectl rejects fields beside those that are listed, so that nothing must be
    boolean bare =
        declared.isEmpty()
            || (dialect == Dialect.V2 && (open || published.preservesUnknownFields()));
    MapNode schema = bare ? MapNode.of("type", Node.text("object")) : withFields(declared);
    schema = schema.with("x-kubernetes-group-version-kind", kinds(definition.gvk()));
    List<MapNode> selectable = published.selectableFields();
    return selectable.isEmpty()
        ? schema
        : schema.with(
            "x-kubernetes-selectable-fields",
            new Items(selectable.stream().<Node>map(CustomSchemas::fieldPath).toList()));
  }

  private static MapNode fieldPath(MapNode selectable) {
    String path = selectable.text("jsonPath");
    return MapNode.of("fieldPath", Node.text(path.startsWith(".") ? path.substring(1) : path));
  }

  private MapNode withFields(MapNode declared) {
    MapNode schema =
        switch (dialect) {
          case V2 -> PublishedSchema.v2(declared, objectFields);
          case V3 -> PublishedSchema.v3(declared, objectFields);
        };
    return schema.with("properties", objectFields.in(schema.map("properties")));
  }

  private MapNode list(ResourceDefinition definition) {
    MapNode items =
        MapNode.builder(3)
            .put(
                "description",
                Node.text("List of " + definition.gvr().resource() + "." + CONVENTIONS))
            .put("type", Node.text("array"))
            .put("items", dialect.reference(definition.schema().name()))
            .build();
    return MapNode.builder(5)
        .put("description", Node.text(definition.listKind() + " is a list of " + definition.kind()))
        .put("type", Node.text("object"))
        .put("required", Node.texts(List.of("items")))
        .put("properties", listFields.in(MapNode.of("items", items)))
        .put(
            "x-kubernetes-group-version-kind",
            kinds(GroupVersion.of(definition.gvr()).kind(definition.listKind())))
        .build();
  }

  private static Items kinds(GroupVersionKind kind) {
    return new Items(List.of(Kinds.node(kind)));
  }
}
