package dev.keelson.schema.openapi.operation;

import dev.keelson.schema.SchemaNode;
import dev.keelson.schema.SchemaNode.StructSchema;

/** Names of the types that have a definition of their own. */
public final class TypeNames {

  /** What the names of the types of {@code meta/v1} begin with. */
  public static final String META = "io.k8s.apimachinery.pkg.apis.meta.v1.";

  private TypeNames() {}

  /**
   * The name under which a document defines {@code type}; empty if it is written where it stands,
   * as plain scalars, lists, maps and nameless structs are.
   */
  public static String of(SchemaNode type) {
    return switch (type) {
      case StructSchema struct -> struct.name();
      case SchemaNode.ListOf list -> "";
      case SchemaNode.MapOf map -> "";
      case SchemaNode.Structural custom -> "";
      case SchemaNode.Union union -> union.message().name();
      case SchemaNode.Scalar scalar ->
          switch (scalar) {
            case TIME -> META + "Time";
            case MICRO_TIME -> META + "MicroTime";
            case DURATION -> META + "Duration";
            case INT_OR_STRING -> "io.k8s.apimachinery.pkg.util.intstr.IntOrString";
            case QUANTITY -> "io.k8s.apimachinery.pkg.api.resource.Quantity";
            case STRING, INT32, INT64, UINT32, UINT64, DOUBLE, BOOL, BYTES -> "";
          };
      case SchemaNode.Free free ->
          switch (free) {
            case RAW_JSON -> "io.k8s.apimachinery.pkg.runtime.RawExtension";
            case FIELDS_V1 -> META + "FieldsV1";
            case ANY_JSON -> "io.k8s.apiextensions-apiserver.pkg.apis.apiextensions.v1.JSON";
          };
    };
  }

  /** Whether JSON objects of {@code struct} name their type: kinds, lists and options. */
  public static boolean typed(StructSchema struct) {
    var kind = struct.field("kind");
    var apiVersion = struct.field("apiVersion");
    return kind != null && apiVersion != null && kind.number() == 0 && apiVersion.number() == 0;
  }
}
