package dev.keelson.testing;

import dev.keelson.object.Node;
import dev.keelson.object.Node.Items;
import dev.keelson.object.Node.MapNode;
import dev.keelson.schema.CustomResource;
import dev.keelson.schema.CustomResourceVersion;
import dev.keelson.schema.SchemaNode.StructSchema;
import dev.keelson.schema.StructuralSchema;
import dev.keelson.schema.codec.ObjectReader;
import dev.keelson.schema.proto.ProtoSchemas;
import java.nio.charset.StandardCharsets;
import java.util.List;

/** Custom types of tests, made of schemas in YAML. */
public final class CustomSchemas {

  private static final ProtoSchemas BUILT_IN = ProtoSchemas.fromClassPath();

  private CustomSchemas() {}

  /** A value in YAML or JSON. */
  public static Node value(String yaml) {
    return ObjectReader.untypedYaml(yaml.getBytes(StandardCharsets.UTF_8));
  }

  /** An object in YAML or JSON. */
  public static MapNode object(String yaml) {
    return (MapNode) value(yaml);
  }

  /** A place of a structural schema. */
  public static StructuralSchema schema(String yaml) {
    return StructuralSchema.of(object(yaml));
  }

  /** The version {@code v1} of {@code widgets.example.com} with a root schema. */
  public static CustomResourceVersion version(String rootSchema) {
    return version(object("{plural: widgets}"), rootSchema);
  }

  /** The same with other fields of the entry of {@code spec.versions}. */
  public static CustomResourceVersion versionWith(String declaration, String rootSchema) {
    return version(object("{plural: widgets}"), object(declaration), rootSchema);
  }

  /** The same with other fields of the spec of its definition. */
  public static CustomResourceVersion version(MapNode spec, String rootSchema) {
    return version(spec, MapNode.EMPTY, rootSchema);
  }

  private static CustomResourceVersion version(
      MapNode spec, MapNode declaration, String rootSchema) {
    MapNode version =
        declaration
            .with("name", Node.text("v1"))
            .with("schema", MapNode.of("openAPIV3Schema", object(rootSchema)));
    MapNode definition = MapNode.of("spec", spec.with("versions", new Items(List.of(version))));
    return new CustomResourceVersion(
        new CustomResource("widgets.example.com", "uid", () -> definition),
        "v1",
        BUILT_IN.struct("io.k8s.apimachinery.pkg.apis.meta.v1.ObjectMeta"));
  }

  /** The type of the objects of a version. */
  public static StructSchema struct(CustomResourceVersion version) {
    return new StructSchema("com.example.v1.Widget", version);
  }

  /** The type of objects with a root schema. */
  public static StructSchema struct(String rootSchema) {
    return struct(version(rootSchema));
  }
}
