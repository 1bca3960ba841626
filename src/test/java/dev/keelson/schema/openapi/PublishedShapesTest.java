package dev.keelson.schema.openapi;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.gson.JsonElement;
import com.google.gson.JsonObject;
import com.google.gson.JsonParser;
import com.google.gson.JsonPrimitive;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.zip.GZIPInputStream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * What the documents publish is what Kubernetes 1.36 publishes. {@code batch-v1.json.gz} is its
 * document of {@code batch/v1} without descriptions, which has the types of pods.
 */
class PublishedShapesTest {

  private static final OpenApiDocuments DOCUMENTS = Documents.plain();
  private static final String SCHEMAS = "/components/schemas/";

  /** What the contract has beside Kubernetes, and what the servers call themselves. */
  private static final List<String> OWN =
      List.of(
          "/info/title",
          "/info/version",
          SCHEMAS + "io.k8s.apimachinery.pkg.apis.meta.v1.Initializer",
          SCHEMAS + "io.k8s.apimachinery.pkg.apis.meta.v1.Initializers",
          SCHEMAS + "io.k8s.apimachinery.pkg.apis.meta.v1.ObjectMeta/properties/initializers");

  @Test
  void batch_isPublishedAsByKubernetes() throws IOException {
    List<String> differences = new ArrayList<>();

    compare("", sample(), Documents.v3(DOCUMENTS, "apis/batch/v1"), differences);

    assertThat(differences).containsExactlyInAnyOrderElementsOf(OWN);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      nullValues = "-",
      value = {
        "api/v1 | authentication.v1.TokenRequestSpec | expirationSeconds |" + " default | -",
        "apis/apps/v1 | apps.v1.DeploymentSpec | replicas | default | -",
        "apis/apps/v1 | autoscaling.v1.ScaleSpec | replicas | default | 0",
        "api/v1 | core.v1.ServiceSpec | type | default | -",
        "api/v1 | core.v1.ServicePort | protocol | default | \"TCP\"",
        "api/v1 | core.v1.ComponentCondition | status | enum | -",
        "api/v1 | core.v1.LoadBalancerIngress | ipMode | enum | -",
        "api/v1 | core.v1.PodSpec | restartPolicy | enum | [\"Always\",\"Never\",\"OnFailure\"]",
        "apis/flowcontrol.apiserver.k8s.io/v1 | flowcontrol.v1.Subject | kind | enum | -",
      })
  void property_isPublishedAsDeclared(
      String document, String struct, String field, String key, String value) {
    JsonObject property =
        Documents.at(
            Documents.v3(DOCUMENTS, document),
            "components",
            "schemas",
            "io.k8s.api." + struct,
            "properties",
            field);

    assertThat(property.get(key)).isEqualTo(value == null ? null : JsonParser.parseString(value));
  }

  @Test
  void ipFamilies_includeTheUnknownOne() {
    assertThat(
            Documents.at(
                    Documents.v3(DOCUMENTS, "api/v1"),
                    "components",
                    "schemas",
                    "io.k8s.api.core.v1.ServiceSpec",
                    "properties",
                    "ipFamilies",
                    "items")
                .get("enum"))
        .isEqualTo(JsonParser.parseString("[\"\",\"IPv4\",\"IPv6\"]"));
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "LimitResponse | type | {\"queuing\":\"Queuing\"}",
        "PriorityLevelConfigurationSpec | type | {\"exempt\":\"Exempt\",\"limited\":\"Limited\"}",
        "Subject | kind |"
            + " {\"group\":\"Group\",\"serviceAccount\":\"ServiceAccount\",\"user\":\"User\"}"
      })
  void unions_arePublished(String struct, String discriminator, String fields) {
    JsonElement unions =
        Documents.at(
                Documents.v3(DOCUMENTS, "apis/flowcontrol.apiserver.k8s.io/v1"),
                "components",
                "schemas",
                "io.k8s.api.flowcontrol.v1." + struct)
            .get("x-kubernetes-unions");

    assertThat(unions)
        .isEqualTo(
            JsonParser.parseString(
                "[{\"discriminator\":\""
                    + discriminator
                    + "\",\"fields-to-discriminateBy\":"
                    + fields
                    + "}]"));
  }

  @Test
  void variablesOfPolicies_areOwnedAsAWhole() {
    assertThat(
            Documents.at(
                    Documents.v3(DOCUMENTS, "apis/admissionregistration.k8s.io/v1"),
                    "components",
                    "schemas",
                    "io.k8s.api.admissionregistration.v1.Variable")
                .get("x-kubernetes-map-type")
                .getAsString())
        .isEqualTo("atomic");
  }

  @Test
  void version_hasTheVersionsOfEmulation() {
    JsonObject info =
        Documents.at(
            Documents.v3(DOCUMENTS, "version"),
            "components",
            "schemas",
            "io.k8s.apimachinery.pkg.version.Info");

    assertThat(info.getAsJsonObject("properties").keySet())
        .contains("emulationMajor", "emulationMinor", "minCompatibilityMajor")
        .contains("minCompatibilityMinor");
    assertThat(info.getAsJsonArray("required")).hasSize(9);
  }

  @ParameterizedTest
  @CsvSource({
    "pods, Pod",
    "persistentvolumeclaims, PersistentVolumeClaim",
    "podtemplates, PodTemplate",
    "resourcequotas, ResourceQuota",
    "services, Service",
    "configmaps, ''"
  })
  void delete_isDocumentedToAnswerTheObjectOrAStatus(String resource, String kind) {
    JsonObject schema =
        Documents.at(
            Documents.v3(DOCUMENTS, "api/v1"),
            "paths",
            "/api/v1/namespaces/{namespace}/" + resource + "/{name}",
            "delete",
            "responses",
            "200",
            "content",
            "application/json",
            "schema");

    assertThat(schema.get("$ref").getAsString())
        .endsWith(kind.isEmpty() ? ".meta.v1.Status" : ".core.v1." + kind);
  }

  @Test
  void portsToForward_areIntegers() {
    JsonElement parameters =
        Documents.at(
                Documents.v3(DOCUMENTS, "api/v1"),
                "paths",
                "/api/v1/namespaces/{namespace}/pods/{name}/portforward")
            .get("parameters");

    assertThat(parameters.toString())
        .contains("\"schema\":{\"type\":\"integer\",\"uniqueItems\":true}");
  }

  /**
   * {@code declared.txt} has a line for each struct of the Go types of 1.36 and of the old groups:
   * the fields with what the declaration says of them.
   */
  @Test
  void structs_arePublishedAsDeclared() throws IOException {
    Map<String, JsonObject> published = new TreeMap<>();
    for (String document : Documents.names(DOCUMENTS)) {
      JsonElement components = Documents.v3(DOCUMENTS, document).get("components");
      if (components != null && components.getAsJsonObject().has("schemas")) {
        components
            .getAsJsonObject()
            .getAsJsonObject("schemas")
            .asMap()
            .forEach((name, schema) -> published.put(name, schema.getAsJsonObject()));
      }
    }
    List<String> expected = new ArrayList<>();
    List<String> actual = new ArrayList<>();
    try (InputStream in = getClass().getResourceAsStream("declared.txt")) {
      String text = new String(Objects.requireNonNull(in).readAllBytes(), StandardCharsets.UTF_8);
      for (String line : text.lines().toList()) {
        String name = line.substring(0, line.indexOf(' '));
        expected.add(line);
        actual.add(name + declared(published.get(name), line.contains("default=")));
      }
    }

    assertThat(actual).hasSizeGreaterThan(600).containsExactlyElementsOf(expected);
  }

  /** The fields of a struct, as in {@code declared.txt}; without those that the contract adds. */
  private static String declared(@Nullable JsonObject schema, boolean defaults) {
    if (schema == null) {
      return " is not published";
    }
    JsonElement required = schema.get("required");
    StringBuilder text = new StringBuilder();
    schema
        .getAsJsonObject("properties")
        .asMap()
        .forEach(
            (field, value) -> {
              if (!field.equals("initializers")) {
                boolean needed =
                    required != null
                        && required.getAsJsonArray().contains(new JsonPrimitive(field));
                text.append(' ').append(field);
                List<String> words = words(value.getAsJsonObject(), needed, defaults);
                if (!words.isEmpty()) {
                  text.append('(').append(String.join(",", words)).append(')');
                }
              }
            });
    return text.toString();
  }

  private static List<String> words(JsonObject property, boolean required, boolean defaults) {
    List<String> words = new ArrayList<>();
    if (required) {
      words.add("required");
    }
    if (property.has("x-kubernetes-list-type")) {
      words.add(property.get("x-kubernetes-list-type").getAsString());
    }
    if (property.has("x-kubernetes-list-map-keys")) {
      List<String> keys = new ArrayList<>();
      property
          .getAsJsonArray("x-kubernetes-list-map-keys")
          .forEach(key -> keys.add(key.getAsString()));
      words.add("keys=" + String.join("+", keys));
    }
    if (property.has("x-kubernetes-patch-strategy")) {
      words.add(
          "patch=" + property.get("x-kubernetes-patch-strategy").getAsString().replace(',', '+'));
    }
    if (property.has("x-kubernetes-patch-merge-key")) {
      words.add("merge=" + property.get("x-kubernetes-patch-merge-key").getAsString());
    }
    JsonElement shown = property.get("default");
    // Go's zero values are shown for fields that are always there, and not declared
    boolean zero = shown == null || List.of("\"\"", "0", "false", "{}").contains(shown.toString());
    if (defaults && !zero) {
      words.add("default=" + shown);
    } else {
      assertThat(zero).as("default " + shown).isTrue();
    }
    return words;
  }

  /** Collects the paths at which two documents differ, apart from descriptions. */
  private static void compare(
      String path, JsonElement expected, JsonElement actual, List<String> differences) {
    if (expected.isJsonObject() && actual.isJsonObject()) {
      TreeSet<String> keys = new TreeSet<>(expected.getAsJsonObject().keySet());
      keys.addAll(actual.getAsJsonObject().keySet());
      for (String key : keys) {
        JsonElement there = expected.getAsJsonObject().get(key);
        JsonElement here = actual.getAsJsonObject().get(key);
        if (key.equals("description") && (here == null || here.isJsonPrimitive())) {
          continue;
        }
        if (there == null || here == null) {
          differences.add(path + "/" + key);
        } else {
          compare(path + "/" + key, there, here, differences);
        }
      }
    } else if (expected.isJsonArray()
        && actual.isJsonArray()
        && expected.getAsJsonArray().size() == actual.getAsJsonArray().size()) {
      for (int i = 0; i < expected.getAsJsonArray().size(); i++) {
        compare(
            path + "/" + i,
            expected.getAsJsonArray().get(i),
            actual.getAsJsonArray().get(i),
            differences);
      }
    } else if (!expected.equals(actual)) {
      differences.add(path);
    }
  }

  private static JsonElement sample() throws IOException {
    try (InputStream in =
        new GZIPInputStream(
            Objects.requireNonNull(
                PublishedShapesTest.class.getResourceAsStream("batch-v1.json.gz")))) {
      return JsonParser.parseString(new String(in.readAllBytes(), StandardCharsets.UTF_8));
    }
  }
}
