package dev.keelson.schema.openapi;

import com.google.gson.JsonElement;
import com.google.gson.JsonObject;
import dev.keelson.schema.BuiltInResources;
import dev.keelson.schema.ResourceCatalog;
import dev.keelson.schema.ResourceDefinition;
import dev.keelson.schema.codec.ObjectReader;
import dev.keelson.schema.codec.ObjectWriter;
import dev.keelson.schema.openapi.OpenApiDocument.Format;
import dev.keelson.schema.openapi.operation.Descriptions;
import dev.keelson.schema.proto.ProtoSchemas;
import dev.keelson.schema.proto.SchemaDocs;
import dev.keelson.testing.TreeJson;
import java.util.List;
import java.util.Set;

/** The documents of the built-in types, for tests. */
public final class Documents {

  private static final ProtoSchemas SCHEMAS = ProtoSchemas.fromClassPath();
  private static final SchemaDocs DOCS = SchemaDocs.fromClassPath();
  private static final JsonText JSON = new JsonText(ObjectWriter::json, ObjectReader::untypedJson);

  private Documents() {}

  public static List<ResourceDefinition> builtIn() {
    return BuiltInResources.all(SCHEMAS::struct);
  }

  public static OpenApiDocuments of(ResourceCatalog catalog) {
    return of(catalog, new Descriptions(DOCS::describe, DOCS::describe));
  }

  static OpenApiDocuments of(ResourceCatalog catalog, Descriptions descriptions) {
    return of(catalog, descriptions, RemoteDocuments.NONE);
  }

  static OpenApiDocuments of(
      ResourceCatalog catalog, Descriptions descriptions, RemoteDocuments remotes) {
    return new OpenApiDocuments(catalog, SCHEMAS::struct, descriptions, JSON, "v1.2.3", remotes);
  }

  /** Of the built-in types, with fixed descriptions. */
  public static OpenApiDocuments plain() {
    return of(
        new ResourceCatalog(builtIn()),
        new Descriptions(
            name -> "About " + name.substring(name.lastIndexOf('.') + 1), (t, f) -> f));
  }

  public static JsonObject v2(OpenApiDocuments documents) {
    return TreeJson.parse(documents.v2(Format.JSON).body());
  }

  public static JsonObject v3(OpenApiDocuments documents, String name) {
    return TreeJson.parse(documents.v3(name, Format.JSON).orElseThrow().body());
  }

  public static Set<String> names(OpenApiDocuments documents) {
    return TreeJson.parse(documents.v3Index().body()).getAsJsonObject("paths").keySet();
  }

  public static JsonObject at(JsonObject root, String... path) {
    JsonElement element = root;
    for (String step : path) {
      element = element.getAsJsonObject().get(step);
      if (element == null) {
        throw new AssertionError("nothing at " + String.join(" / ", path) + ": no " + step);
      }
    }
    return element.getAsJsonObject();
  }
}
