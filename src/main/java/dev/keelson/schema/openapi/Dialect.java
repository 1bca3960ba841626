package dev.keelson.schema.openapi;

import dev.keelson.object.Node;
import dev.keelson.object.Node.MapNode;
import dev.keelson.schema.SchemaNode.Scalar;
import java.util.List;

/** The differences between the two versions of OpenAPI in schemas. */
enum Dialect {
  /** Swagger 2.0, which has no alternatives; Kubernetes shows no defaults in it. */
  V2("definitions", "#/definitions/"),
  /** OpenAPI 3.0, where a reference may have no neighbours. */
  V3("schemas", "#/components/schemas/");

  private final String schemas;
  private final String prefix;

  Dialect(String schemas, String prefix) {
    this.schemas = schemas;
    this.prefix = prefix;
  }

  /** The key of the object that has the definitions of a document. */
  String schemas() {
    return schemas;
  }

  /** A reference without neighbours. */
  MapNode reference(String name) {
    return MapNode.of("$ref", Node.text(prefix + name));
  }

  /** A reference among other keys. */
  void putReference(MapNode.Builder schema, String name) {
    switch (this) {
      case V2 -> schema.put("$ref", Node.text(prefix + name));
      case V3 -> schema.put("allOf", new Node.Items(List.of(reference(name))));
    }
  }

  boolean showsDefaults() {
    return this == V3;
  }

  /** Types that JSON writes as one of two things. */
  void putAlternatives(MapNode.Builder schema, Scalar type) {
    boolean quantity = type == Scalar.QUANTITY;
    if (!quantity) {
      schema.put("format", Node.text("int-or-string"));
    }
    switch (this) {
      case V2 -> schema.put("type", Node.text("string"));
      case V3 ->
          schema.put(
              "oneOf",
              new Node.Items(
                  quantity
                      ? List.of(type("string"), type("number"))
                      : List.of(type("integer"), type("string"))));
    }
  }

  private static MapNode type(String name) {
    return MapNode.of("type", Node.text(name));
  }
}
