package dev.keelson.schema.openapi;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.gson.JsonElement;
import com.google.gson.JsonObject;
import dev.keelson.object.Node.MapNode;
import dev.keelson.schema.CustomResource;
import dev.keelson.schema.CustomResourceRows;
import dev.keelson.schema.ResourceCatalog;
import dev.keelson.schema.ResourceDefinition;
import dev.keelson.schema.openapi.OpenApiDocument.Format;
import dev.keelson.schema.proto.ProtoSchemas;
import dev.keelson.testing.CustomTypes;
import dev.keelson.testing.TreeJson;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** The documents of custom resources beside those of the built-in types. */
@Timeout(120)
class CustomDocumentsTest {

  private static final String SPEC =
      "'schema':{'openAPIV3Schema':{'type':'object','description':'A widget.','properties':{"
          + "'spec':{'type':'object','required':['size'],'properties':{"
          + "'size':{'type':'integer','minimum':1,'default':3},"
          + "'port':{'x-kubernetes-int-or-string':true},"
          + "'note':{'type':'string','nullable':true}}}}}}";

  private static final String WIDGETS =
      CustomTypes.widgets(
          "'selectableFields':[{'jsonPath':'.spec.size'}],"
              + "'subresources':{'status':{},'scale':{'specReplicasPath':'.spec.size',"
              + "'statusReplicasPath':'.status.size'}},"
              + SPEC);

  private static final String GADGETS =
      CustomTypes.definition("other.example.com", "gadgets", "Gadget", "Cluster", SPEC);

  private final ResourceCatalog catalog = new ResourceCatalog(Documents.builtIn());
  private final OpenApiDocuments documents = Documents.of(catalog);

  private static ResourceDefinition row(String json, long generation, AtomicInteger reads) {
    MapNode definition = CustomTypes.tree(json);
    MapNode whole =
        definition.with("status", MapNode.of("acceptedNames", definition.map("spec").map("names")));
    MapNode metadata = definition.map("metadata");
    CustomResource resource =
        new CustomResource(
            metadata.text("name"),
            metadata.text("uid"),
            generation,
            () -> {
              reads.incrementAndGet();
              return whole;
            });
    return new CustomResourceRows(ProtoSchemas.fromClassPath()::struct)
        .of(resource, whole)
        .getFirst();
  }

  private void serve(ResourceDefinition... rows) {
    List<ResourceDefinition> all = new ArrayList<>(Documents.builtIn());
    all.addAll(List.of(rows));
    catalog.replaceAll(all);
  }

  @Test
  void pathsOfANamespacedResource_areThoseOfKubernetes() {
    CustomTypes.serve(catalog, WIDGETS);

    JsonObject paths = Documents.v3(documents, "apis/example.com/v1").getAsJsonObject("paths");

    String objects = "/apis/example.com/v1/namespaces/{namespace}/widgets";
    assertThat(paths.keySet())
        .containsExactlyInAnyOrder(
            "/apis/example.com/v1/",
            "/apis/example.com/v1/widgets",
            objects,
            objects + "/{name}",
            objects + "/{name}/status",
            objects + "/{name}/scale");
    assertThat(methods(paths, objects)).containsExactlyInAnyOrder("get", "post", "delete");
    assertThat(methods(paths, objects + "/{name}"))
        .containsExactlyInAnyOrder("get", "put", "delete", "patch");
    assertThat(methods(paths, objects + "/{name}/scale"))
        .containsExactlyInAnyOrder("get", "put", "patch");
  }

  private static Set<String> methods(JsonObject paths, String path) {
    Set<String> methods = new TreeSet<>(paths.getAsJsonObject(path).keySet());
    methods.remove("parameters");
    return methods;
  }

  @Test
  void operations_haveTheMediaTypesOfCustomResources() {
    CustomTypes.serve(catalog, GADGETS);

    JsonObject patch =
        Documents.at(
            Documents.v3(documents, "apis/other.example.com/v1"),
            "paths",
            "/apis/other.example.com/v1/gadgets/{name}",
            "patch");

    assertThat(patch.get("operationId").getAsString()).isEqualTo("patchOtherExampleComV1Gadget");
    assertThat(Documents.at(patch, "requestBody", "content").keySet())
        .containsExactly(
            "application/apply-patch+yaml",
            "application/json-patch+json",
            "application/merge-patch+json");
    assertThat(Documents.at(patch, "responses", "200", "content").keySet())
        .containsExactly("application/json", "application/yaml");
  }

  @Test
  void typeInV3_isWhatIsDeclaredWithTheFieldsOfObjects() {
    CustomTypes.serve(catalog, WIDGETS);

    JsonObject schemas =
        Documents.at(Documents.v3(documents, "apis/example.com/v1"), "components", "schemas");
    JsonObject widget = schemas.getAsJsonObject("com.example.v1.Widget");

    assertThat(widget.get("description").getAsString()).isEqualTo("A widget.");
    assertThat(widget.getAsJsonObject("properties").keySet())
        .containsExactly("apiVersion", "kind", "metadata", "spec");
    // the words that Kubernetes' end-to-end tests look for in the answers of kubectl explain
    assertThat(widget.get("properties").toString())
        .contains("APIVersion defines", "Standard object's metadata");
    JsonObject metadata =
        schemas.getAsJsonObject("io.k8s.apimachinery.pkg.apis.meta.v1.ObjectMeta");
    assertThat(Documents.at(metadata, "properties", "creationTimestamp").toString())
        .contains("CreationTimestamp is a timestamp");
    assertThat(Documents.at(widget, "properties", "metadata").get("allOf"))
        .hasToString(
            "[{\"$ref\":\"#/components/schemas/"
                + "io.k8s.apimachinery.pkg.apis.meta.v1.ObjectMeta\"}]");
    JsonObject spec = Documents.at(widget, "properties", "spec", "properties");
    assertThat(spec.get("size")).hasToString("{\"type\":\"integer\",\"minimum\":1,\"default\":3}");
    assertThat(spec.get("port"))
        .hasToString(
            "{\"x-kubernetes-int-or-string\":true,"
                + "\"anyOf\":[{\"type\":\"integer\"},{\"type\":\"string\"}]}");
    assertThat(widget.get("x-kubernetes-group-version-kind"))
        .hasToString("[{\"group\":\"example.com\",\"version\":\"v1\",\"kind\":\"Widget\"}]");
    assertThat(widget.get("x-kubernetes-selectable-fields"))
        .hasToString("[{\"fieldPath\":\"spec.size\"}]");
    JsonObject list = schemas.getAsJsonObject("com.example.v1.WidgetList");
    assertThat(Documents.at(list, "properties", "items", "items").get("$ref").getAsString())
        .isEqualTo("#/components/schemas/com.example.v1.Widget");
  }

  @Test
  void typeInV2_hasNoDefaultsAndNoNull() {
    CustomTypes.serve(catalog, WIDGETS);

    JsonObject spec =
        Documents.at(
            Documents.v2(documents),
            "definitions",
            "com.example.v1.Widget",
            "properties",
            "spec",
            "properties");

    assertThat(spec.get("size")).hasToString("{\"type\":\"integer\",\"minimum\":1}");
    assertThat(spec.get("port")).hasToString("{\"x-kubernetes-int-or-string\":true}");
    assertThat(spec.get("note")).hasToString("{}");
  }

  @Test
  void references_resolve_inEveryDocument() {
    CustomTypes.serve(catalog, WIDGETS, GADGETS);

    for (String name : Documents.names(documents)) {
      JsonObject document = Documents.v3(documents, name);
      Set<String> used = new TreeSet<>();
      collectReferences(document, used);
      Set<String> defined = new TreeSet<>();
      Documents.at(document, "components", "schemas")
          .keySet()
          .forEach(schema -> defined.add("#/components/schemas/" + schema));
      assertThat(used).as(name).containsExactlyElementsOf(defined);
    }
    JsonObject v2 = Documents.v2(documents);
    Set<String> used = new TreeSet<>();
    collectReferences(v2, used);
    Set<String> defined = new TreeSet<>();
    v2.getAsJsonObject("definitions").keySet().forEach(n -> defined.add("#/definitions/" + n));
    v2.getAsJsonObject("parameters").keySet().forEach(n -> defined.add("#/parameters/" + n));
    assertThat(used).containsExactlyElementsOf(defined);
  }

  private static void collectReferences(JsonElement element, Set<String> references) {
    if (element.isJsonArray()) {
      element.getAsJsonArray().forEach(item -> collectReferences(item, references));
    } else if (element.isJsonObject()) {
      element
          .getAsJsonObject()
          .asMap()
          .forEach(
              (key, value) -> {
                if (key.equals("$ref") && value.isJsonPrimitive()) {
                  references.add(value.getAsString());
                } else {
                  collectReferences(value, references);
                }
              });
    }
  }

  @Test
  void index_namesTheHashOfTheDocument_withoutReadingTheSchema() {
    AtomicInteger reads = new AtomicInteger();
    serve(row(WIDGETS, 1, reads));

    String url =
        TreeJson.parse(documents.v3Index().body())
            .getAsJsonObject("paths")
            .getAsJsonObject("apis/example.com/v1")
            .get("serverRelativeURL")
            .getAsString();

    assertThat(reads).hasValue(0);
    for (Format format : Format.values()) {
      OpenApiDocument document = documents.v3("apis/example.com/v1", format).orElseThrow();
      assertThat(OpenApiDocument.url("apis/example.com/v1", document.hash())).isEqualTo(url);
    }
    assertThat(documents.v3("apis/example.com", Format.JSON)).isPresent();
  }

  @Test
  void changeOfOneDefinition_leavesTheOthersAsTheyAre() {
    AtomicInteger reads = new AtomicInteger();
    ResourceDefinition widgets = row(WIDGETS, 1, reads);
    AtomicInteger otherReads = new AtomicInteger();
    serve(widgets, row(GADGETS, 1, otherReads));
    OpenApiDocument first = documents.v3("apis/example.com/v1", Format.JSON).orElseThrow();
    String gadgets = documents.v3("apis/other.example.com/v1", Format.JSON).orElseThrow().hash();
    String v2 = documents.v2(Format.JSON).hash();
    int once = reads.get();

    serve(widgets, row(GADGETS, 2, otherReads));

    assertThat(documents.v3("apis/example.com/v1", Format.JSON)).containsSame(first);
    assertThat(documents.v3("apis/other.example.com/v1", Format.JSON).orElseThrow().hash())
        .isNotEqualTo(gadgets);
    assertThat(documents.v2(Format.JSON).hash()).isNotEqualTo(v2);
    assertThat(reads).hasValue(once);
  }

  @Test
  void serversOfOneStore_haveTheSameHashes() {
    ResourceCatalog other = new ResourceCatalog(Documents.builtIn());
    CustomTypes.serve(catalog, WIDGETS, GADGETS);
    CustomTypes.serve(other, GADGETS, WIDGETS);

    assertThat(Documents.of(other).v3Index().body()).isEqualTo(documents.v3Index().body());
    assertThat(Documents.of(other).v2(Format.JSON).hash())
        .isEqualTo(documents.v2(Format.JSON).hash());
  }

  @Test
  void schemaThatKeepsEverything_isBareInV2() {
    CustomTypes.serve(
        catalog,
        CustomTypes.widgets(
            "'schema':{'openAPIV3Schema':{'type':'object','description':'d',"
                + "'x-kubernetes-preserve-unknown-fields':true}}"));

    JsonObject v2 = Documents.at(Documents.v2(documents), "definitions", "com.example.v1.Widget");
    JsonObject v3 =
        Documents.at(
            Documents.v3(documents, "apis/example.com/v1"),
            "components",
            "schemas",
            "com.example.v1.Widget");

    assertThat(v2.keySet()).containsExactly("type", "x-kubernetes-group-version-kind");
    assertThat(v3.keySet())
        .contains("properties", "description", "x-kubernetes-preserve-unknown-fields");
  }

  @Test
  void versionWithoutSchema_isBare() {
    MapNode definition = CustomTypes.tree(CustomTypes.widgets("'schema':{}"));
    serve(CustomTypes.rows(definition).getFirst());

    JsonObject v3 =
        Documents.at(
            Documents.v3(documents, "apis/example.com/v1"),
            "components",
            "schemas",
            "com.example.v1.Widget");

    assertThat(v3.keySet()).containsExactly("type", "x-kubernetes-group-version-kind");
  }
}
