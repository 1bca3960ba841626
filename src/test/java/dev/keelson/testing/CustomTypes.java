package dev.keelson.testing;

import dev.keelson.object.Node;
import dev.keelson.object.Node.MapNode;
import dev.keelson.schema.CustomResource;
import dev.keelson.schema.CustomResourceRows;
import dev.keelson.schema.ResourceCatalog;
import dev.keelson.schema.ResourceDefinition;
import dev.keelson.schema.proto.ProtoSchemas;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/** Custom resources without a store of definitions, given in JSON with single quotes. */
public final class CustomTypes {

  private static final ProtoSchemas SCHEMAS = ProtoSchemas.fromClassPath();

  private CustomTypes() {}

  /** A JSON object with single quotes. */
  public static MapNode tree(String json) {
    return (MapNode) TreeJson.read(json.replace('\'', '"').getBytes(StandardCharsets.UTF_8));
  }

  /**
   * A namespaced definition of the group {@code example.com} with the kind {@code Widget} and one
   * version.
   *
   * @param version the other fields of the version {@code v1}
   */
  public static String widgets(String version) {
    return definition("example.com", "widgets", "Widget", "Namespaced", version);
  }

  /** A definition with the version {@code v1}, whose other fields are {@code version}. */
  public static String definition(
      String group, String plural, String kind, String scope, String version) {
    return "{'metadata':{'name':'%s.%s','uid':'uid-%s'},'spec':{'group':'%s','scope':'%s',"
            .formatted(plural, group, plural, group, scope)
        + "'names':{'plural':'%s','singular':'%s','kind':'%s','listKind':'%sList'},"
            .formatted(plural, kind.toLowerCase(Locale.ROOT), kind, kind)
        + "'versions':[{'name':'v1','served':true,'storage':true,"
        + version
        + "}]}}";
  }

  /** The rows of a definition as if it were established under its own names. */
  public static List<ResourceDefinition> rows(String definition) {
    return rows(tree(definition));
  }

  /** The same of a tree. */
  public static List<ResourceDefinition> rows(MapNode definition) {
    MapNode established =
        MapNode.of("type", Node.text("Established")).with("status", Node.text("True"));
    MapNode whole =
        definition.with(
            "status",
            MapNode.of("acceptedNames", definition.map("spec").map("names"))
                .with("conditions", new Node.Items(List.of(established))));
    MapNode metadata = definition.map("metadata");
    CustomResource resource =
        new CustomResource(metadata.text("name"), metadata.text("uid"), () -> whole);
    return new CustomResourceRows(SCHEMAS::struct).of(resource, whole);
  }

  /** Serves the rows of definitions beside what {@code catalog} serves, or instead. */
  public static void serve(ResourceCatalog catalog, String... definitions) {
    List<ResourceDefinition> all = new ArrayList<>(catalog.snapshot().all());
    List<ResourceDefinition> custom = new ArrayList<>();
    for (String definition : definitions) {
      custom.addAll(rows(definition));
    }
    custom.sort(CustomResourceRows.ORDER);
    custom.forEach(row -> all.removeIf(served -> served.gvr().equals(row.gvr())));
    all.addAll(custom);
    catalog.replaceAll(all);
  }
}
