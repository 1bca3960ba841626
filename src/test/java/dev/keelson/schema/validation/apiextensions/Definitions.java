package dev.keelson.schema.validation.apiextensions;

import dev.keelson.api.FieldCause;
import dev.keelson.api.GroupVersionKind;
import dev.keelson.object.ApiObject;
import dev.keelson.object.Node;
import dev.keelson.object.Node.MapNode;
import dev.keelson.schema.SchemaNode.StructSchema;
import dev.keelson.schema.codec.ObjectReader;
import dev.keelson.schema.codec.tree.FieldValidation;
import dev.keelson.schema.defaulting.SchemaDefaults;
import dev.keelson.schema.proto.ProtoSchemas;
import dev.keelson.schema.validation.ObjectValidation;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;

/** Definitions with their defaults, and the causes to reject them. JSON has ' for ". */
final class Definitions {

  static final StructSchema SCHEMA =
      ProtoSchemas.fromClassPath()
          .struct(
              "io.k8s.apiextensions-apiserver.pkg.apis.apiextensions.v1.CustomResourceDefinition");

  private static final GroupVersionKind KIND =
      new GroupVersionKind("apiextensions.k8s.io", "v1", "CustomResourceDefinition");
  private static final SchemaDefaults DEFAULTS =
      new SchemaDefaults(literal -> ObjectReader.untypedJson(utf8(literal)));

  /** A valid definition with one version. */
  static final String BASE =
      """
      {'metadata':{'name':'tabs.example.com'},
       'spec':{'group':'example.com','scope':'Namespaced',
        'names':{'plural':'tabs','kind':'Tab'},
        'versions':[{'name':'v1','served':true,'storage':true,
         'schema':{'openAPIV3Schema':{'type':'object'}}}]}}
      """;

  private final ObjectValidation validation;
  final List<String> warnings = new ArrayList<>();

  Definitions(DefaultValidation defaults, SchemaExpressions expressions) {
    validation = new ObjectValidation(ApiExtensionsKinds.rules(defaults, expressions)::get);
  }

  Definitions() {
    this(DefaultValidation.NONE, SchemaExpressions.NONE);
  }

  /** {@link #BASE} with a merge patch. */
  static MapNode of(String patch) {
    MapNode base = (MapNode) json(BASE);
    return complete(merged(base, (MapNode) json(patch)));
  }

  /** {@link #BASE} with a schema at its root. */
  static MapNode withSchema(String schema) {
    return of(
        "{'spec':{'versions':[{'name':'v1','served':true,'storage':true,'schema':{'openAPIV3Schema':"
            + schema
            + "}}]}}");
  }

  private static MapNode merged(MapNode base, MapNode patch) {
    MapNode merged = base;
    for (int i = 0; i < patch.size(); i++) {
      String key = patch.keyAt(i);
      Node value = patch.valueAt(i);
      merged =
          switch (value) {
            case Node.Null _ -> merged.without(key);
            case MapNode map -> merged.with(key, merged(merged.map(key), map));
            default -> merged.with(key, value);
          };
    }
    return merged;
  }

  static MapNode complete(MapNode tree) {
    return DEFAULTS.complete(
        ObjectReader.tree(tree, SCHEMA, FieldValidation.IGNORE).root(), SCHEMA);
  }

  private static Node json(String text) {
    return ObjectReader.untypedJson(utf8(text.replace('\'', '"')));
  }

  private static byte[] utf8(String text) {
    return text.getBytes(StandardCharsets.UTF_8);
  }

  List<String> create(MapNode definition) {
    return shown(
        validation.validateCreate(KIND, KIND, SCHEMA, new ApiObject(definition), warnings::add));
  }

  List<String> update(MapNode definition, MapNode old, String subresource) {
    return shown(
        validation.validateUpdate(
            KIND,
            KIND,
            SCHEMA,
            subresource,
            new ApiObject(definition),
            new ApiObject(old),
            warnings::add));
  }

  private static List<String> shown(List<FieldCause> causes) {
    return causes.stream()
        .map(cause -> (cause.field() + ": " + cause.message()).replace('"', '\''))
        .toList();
  }
}
