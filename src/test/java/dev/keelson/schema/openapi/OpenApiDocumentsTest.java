package dev.keelson.schema.openapi;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.gson.JsonElement;
import com.google.gson.JsonObject;
import dev.keelson.api.Verb;
import dev.keelson.schema.ResourceCatalog;
import dev.keelson.schema.ResourceDefinition;
import dev.keelson.schema.openapi.OpenApiDocument.Format;
import dev.keelson.schema.openapi.operation.Descriptions;
import dev.keelson.testing.TreeJson;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(120)
class OpenApiDocumentsTest {

  private final List<ResourceDefinition> builtIn = Documents.builtIn();
  private final ResourceCatalog catalog = new ResourceCatalog(builtIn);
  private final OpenApiDocuments documents = Documents.of(catalog);

  @Test
  void batch_comparedWithTheExpectedLines_hasTheSameOperationsAndProperties() throws IOException {
    JsonObject document = Documents.v3(documents, "apis/batch/v1");
    TreeSet<String> lines = new TreeSet<>();
    eachOperation(
        document,
        (path, method, operation, common) -> {
          TreeSet<String> parameters = new TreeSet<>(names(operation, "parameters"));
          parameters.addAll(common);
          JsonElement action = operation.get("x-kubernetes-action");
          lines.add(
              String.join(
                  " ",
                  method,
                  path,
                  operation.get("operationId").getAsString(),
                  action == null ? "-" : action.getAsString(),
                  String.join(",", new TreeSet<>(operation.getAsJsonObject("responses").keySet())),
                  parameters.isEmpty() ? "-" : String.join(",", parameters)));
        });
    Documents.at(document, "components", "schemas")
        .asMap()
        .forEach(
            (name, schema) -> {
              if (name.startsWith("io.k8s.api.batch.v1.")) {
                lines.add(schemaLine(name, schema.getAsJsonObject()));
              }
            });

    assertThat(lines).containsExactlyElementsOf(new TreeSet<>(expectedLines()));
  }

  @Test
  void references_inEveryDocument_resolveAndNoDefinitionIsUnused() {
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
  }

  @Test
  void references_inV2_resolveAndNothingIsUnused() {
    JsonObject document = Documents.v2(documents);
    Set<String> used = new TreeSet<>();
    collectReferences(document, used);
    Set<String> defined = new TreeSet<>();
    document
        .getAsJsonObject("definitions")
        .keySet()
        .forEach(n -> defined.add("#/definitions/" + n));
    document.getAsJsonObject("parameters").keySet().forEach(n -> defined.add("#/parameters/" + n));

    assertThat(used).containsExactlyElementsOf(defined);
  }

  @Test
  void v2_comparedWithV3_hasTheSameOperationsUnderUniqueIds() {
    Set<String> v3 = new TreeSet<>();
    for (String name : Documents.names(documents)) {
      eachOperation(
          Documents.v3(documents, name),
          (path, method, operation, common) -> v3.add(method + " " + path));
    }
    Set<String> v2 = new TreeSet<>();
    List<String> ids = new ArrayList<>();
    eachOperation(
        Documents.v2(documents),
        (path, method, operation, common) -> {
          v2.add(method + " " + path);
          ids.add(operation.get("operationId").getAsString());
        });

    assertThat(v2).isEqualTo(v3).hasSizeGreaterThan(700);
    assertThat(ids).doesNotHaveDuplicates();
  }

  @Test
  void patches_ofEveryKind_listFieldValidationForKubectl() {
    Set<JsonElement> kinds = new HashSet<>();
    for (String name : Documents.names(documents)) {
      eachOperation(
          Documents.v3(documents, name),
          (path, method, operation, common) -> {
            boolean connect =
                operation.has("x-kubernetes-action")
                    && operation.get("x-kubernetes-action").getAsString().equals("connect");
            if (method.equals("patch") && !connect) {
              assertThat(names(operation, "parameters")).as(path).contains("fieldValidation");
              kinds.add(operation.get("x-kubernetes-group-version-kind"));
            }
          });
    }

    long patched = builtIn.stream().filter(d -> d.verbs().contains(Verb.PATCH)).count();
    // The two kinds of Scale have a patch of their own.
    assertThat(kinds).hasSize((int) patched + 2);
  }

  @Test
  void index_asked_hasAUrlWithTheHashOfEachDocument() throws NoSuchAlgorithmException {
    JsonObject index = TreeJson.parse(documents.v3Index().body()).getAsJsonObject("paths");

    assertThat(index.keySet())
        .contains("api", "api/v1", "apis", "apis/apps", "apis/apps/v1", "apis/batch/v1beta1")
        .contains("version", ".well-known/openid-configuration", "openid/v1/jwks")
        .doesNotContain("apis/");
    for (String name : index.keySet()) {
      OpenApiDocument document = documents.v3(name, Format.JSON).orElseThrow();
      byte[] digest = MessageDigest.getInstance("SHA-512").digest(document.body());
      assertThat(document.hash()).isEqualTo(HexFormat.of().withUpperCase().formatHex(digest));
      assertThat(Documents.at(index, name).get("serverRelativeURL").getAsString())
          .isEqualTo("/openapi/v3/" + name + "?hash=" + document.hash());
      assertThat(documents.v3(name, Format.PROTOBUF).orElseThrow().hash())
          .isEqualTo(document.hash());
    }
  }

  @Test
  void v3_ofAnUnknownName_isEmpty() {
    assertThat(documents.v3("apis/nothing/v1", Format.JSON)).isEmpty();
    assertThat(documents.hasV3("apis/nothing/v1")).isFalse();
    assertThat(documents.hasV3("api/v1")).isTrue();
  }

  @Test
  void document_askedTwice_isBuiltOnceAndOnlyWhenAsked() {
    AtomicInteger described = new AtomicInteger();
    Descriptions counting =
        new Descriptions(
            name -> {
              described.incrementAndGet();
              return "";
            },
            (type, field) -> "");
    OpenApiDocuments counted = Documents.of(catalog, counting);

    assertThat(counted.hasV3("apis/apps/v1")).isTrue();
    assertThat(described).hasValue(0);
    OpenApiDocument first = counted.v3("apis/apps/v1", Format.JSON).orElseThrow();
    int once = described.get();

    assertThat(once).isPositive();
    assertThat(counted.v3("apis/apps/v1", Format.JSON)).containsSame(first);
    assertThat(described).hasValue(once);
  }

  @Test
  void documents_afterTheCatalogHasChanged_areNewOnlyWhereTheyDiffer() {
    OpenApiDocument apps = documents.v3("apis/apps/v1", Format.JSON).orElseThrow();
    OpenApiDocument batch = documents.v3("apis/batch/v1", Format.JSON).orElseThrow();
    String index = documents.v3Index().hash();
    String v2 = documents.v2(Format.JSON).hash();

    catalog.replaceAll(
        builtIn.stream()
            .filter(definition -> !definition.gvr().resource().equals("cronjobs"))
            .toList());

    assertThat(documents.v3("apis/apps/v1", Format.JSON)).containsSame(apps);
    assertThat(documents.v3("apis/batch/v1", Format.JSON).orElseThrow().hash())
        .isNotEqualTo(batch.hash());
    assertThat(documents.hasV3("apis/batch/v1beta1")).isFalse();
    assertThat(documents.v3Index().hash()).isNotEqualTo(index);
    assertThat(documents.v2(Format.JSON).hash()).isNotEqualTo(v2);
  }

  @Test
  void document_builtAgain_hasTheSameBytes() {
    OpenApiDocuments others = Documents.of(new ResourceCatalog(Documents.builtIn()));

    assertThat(others.v3Index().body()).isEqualTo(documents.v3Index().body());
    assertThat(others.v2(Format.JSON).body()).isEqualTo(documents.v2(Format.JSON).body());
  }

  private interface Visitor {
    void visit(String path, String method, JsonObject operation, Set<String> common);
  }

  private static void eachOperation(JsonObject document, Visitor visitor) {
    document
        .getAsJsonObject("paths")
        .asMap()
        .forEach(
            (path, element) -> {
              JsonObject item = element.getAsJsonObject();
              Set<String> common = names(item, "parameters");
              for (Map.Entry<String, JsonElement> entry : item.entrySet()) {
                if (!entry.getKey().equals("parameters")) {
                  visitor.visit(path, entry.getKey(), entry.getValue().getAsJsonObject(), common);
                }
              }
            });
  }

  private static Set<String> names(JsonObject object, String list) {
    Set<String> names = new TreeSet<>();
    if (object.has(list)) {
      for (JsonElement item : object.getAsJsonArray(list)) {
        JsonElement name = item.getAsJsonObject().get("name");
        names.add((name == null ? item.getAsJsonObject().get("$ref") : name).getAsString());
      }
    }
    return names;
  }

  private static String schemaLine(String name, JsonObject schema) {
    Set<String> required = new HashSet<>();
    if (schema.has("required")) {
      schema.getAsJsonArray("required").forEach(item -> required.add(item.getAsString()));
    }
    List<String> properties = new ArrayList<>();
    if (schema.has("properties")) {
      for (String property : new TreeSet<>(schema.getAsJsonObject("properties").keySet())) {
        properties.add(property + (required.contains(property) ? "!" : ""));
      }
    }
    return "schema "
        + name.substring(name.lastIndexOf('.') + 1)
        + " "
        + (properties.isEmpty() ? "-" : String.join(",", properties));
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

  private static List<String> expectedLines() throws IOException {
    try (InputStream in =
        Objects.requireNonNull(OpenApiDocumentsTest.class.getResourceAsStream("batch-v1.txt"))) {
      return new String(in.readAllBytes(), StandardCharsets.UTF_8)
          .lines()
          .filter(line -> !line.startsWith("#"))
          .toList();
    }
  }
}
