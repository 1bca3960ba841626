package dev.keelson.schema.openapi;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.gson.JsonArray;
import com.google.gson.JsonElement;
import com.google.gson.JsonObject;
import com.google.gson.JsonParser;
import dev.keelson.testing.TreeJson;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Single schemas and operations, against expectations shaped as kube-apiserver writes them. */
@Timeout(120)
class DocumentContentTest {

  private static final String CORE = "io.k8s.api.core.v1.";
  private static final String META = "io.k8s.apimachinery.pkg.apis.meta.v1.";

  private final OpenApiDocuments documents = Documents.plain();
  private final JsonObject core = Documents.v3(documents, "api/v1");
  private final JsonObject v2 = Documents.v2(documents);

  @Test
  void v3Struct_written_hasDescriptionsRequiredDefaultsAndEnums() {
    assertThat(schema(CORE + "ContainerPort"))
        .isEqualTo(
            TreeJson.parse(
                """
                {"description": "About ContainerPort", "type": "object",
                 "required": ["containerPort"],
                 "properties": {
                  "containerPort": {"description": "containerPort", "default": 0,
                    "type": "integer", "format": "int32"},
                  "hostIP": {"description": "hostIP", "type": "string"},
                  "hostPort": {"description": "hostPort", "type": "integer", "format": "int32"},
                  "name": {"description": "name", "type": "string"},
                  "protocol": {"description": "protocol", "default": "TCP", "type": "string",
                    "enum": ["SCTP", "TCP", "UDP"]}}}
                """));
  }

  @Test
  void v2Struct_written_isTheSameWithoutDefaults() {
    JsonObject port = definition(CORE + "ContainerPort");

    assertThat(Documents.at(port, "properties", "protocol"))
        .isEqualTo(
            TreeJson.parse(
                """
                {"description": "protocol", "type": "string", "enum": ["SCTP", "TCP", "UDP"]}
                """));
    assertThat(v2.getAsJsonObject("definitions").toString()).doesNotContain("\"default\":{}");
  }

  @Test
  void references_amongOtherKeys_areWrappedInV3Only() {
    assertThat(Documents.at(schema(CORE + "Pod"), "properties", "spec"))
        .isEqualTo(
            TreeJson.parse(
                """
                {"description": "spec", "default": {},
                 "allOf": [{"$ref": "#/components/schemas/io.k8s.api.core.v1.PodSpec"}]}
                """));
    assertThat(Documents.at(definition(CORE + "Pod"), "properties", "spec"))
        .isEqualTo(
            TreeJson.parse(
                """
                {"description": "spec", "$ref": "#/definitions/io.k8s.api.core.v1.PodSpec"}
                """));
  }

  @Test
  void lists_written_tellHowTheyAreMerged() {
    assertThat(Documents.at(schema(CORE + "PodSpec"), "properties", "volumes"))
        .isEqualTo(
            TreeJson.parse(
                """
                {"description": "volumes", "type": "array",
                 "items": {"$ref": "#/components/schemas/io.k8s.api.core.v1.Volume"},
                 "x-kubernetes-list-map-keys": ["name"], "x-kubernetes-list-type": "map",
                 "x-kubernetes-patch-merge-key": "name",
                 "x-kubernetes-patch-strategy": "merge,retainKeys"}
                """));
    assertThat(Documents.at(schema(META + "ObjectMeta"), "properties", "finalizers"))
        .isEqualTo(
            TreeJson.parse(
                """
                {"description": "finalizers", "type": "array", "items": {"type": "string"},
                 "x-kubernetes-list-type": "set", "x-kubernetes-patch-strategy": "merge"}
                """));
    assertThat(Documents.at(schema(CORE + "ConfigMap"), "properties", "binaryData"))
        .isEqualTo(
            TreeJson.parse(
                """
                {"description": "binaryData", "type": "object",
                 "additionalProperties": {"type": "string", "format": "byte"}}
                """));
    assertThat(schema(CORE + "LocalObjectReference").get("x-kubernetes-map-type").getAsString())
        .isEqualTo("atomic");
  }

  @Test
  void typesThatWriteThemselves_haveTheShapesOfTheirVersion() {
    String quantity = "io.k8s.apimachinery.pkg.api.resource.Quantity";
    String intOrString = "io.k8s.apimachinery.pkg.util.intstr.IntOrString";

    assertThat(schema(quantity).get("oneOf"))
        .isEqualTo(JsonParser.parseString("[{\"type\": \"string\"}, {\"type\": \"number\"}]"));
    assertThat(definition(quantity).get("type").getAsString()).isEqualTo("string");
    assertThat(schema(intOrString))
        .isEqualTo(
            TreeJson.parse(
                """
                {"description": "About IntOrString", "format": "int-or-string",
                 "oneOf": [{"type": "integer"}, {"type": "string"}]}
                """));
    assertThat(definition(intOrString))
        .isEqualTo(
            TreeJson.parse(
                """
                {"description": "About IntOrString", "format": "int-or-string", "type": "string"}
                """));
    for (JsonObject time : List.of(schema(META + "Time"), definition(META + "MicroTime"))) {
      assertThat(time.get("type").getAsString()).isEqualTo("string");
      assertThat(time.get("format").getAsString()).isEqualTo("date-time");
    }
  }

  @Test
  void kinds_ofOptionsAndEvents_areThoseOfEveryVersionInV2AndOfItsOwnInV3() {
    JsonObject batch = Documents.v3(documents, "apis/batch/v1");
    JsonArray inV3 = kinds(Documents.at(batch, "components", "schemas", META + "DeleteOptions"));
    JsonArray inV2 = kinds(definition(META + "WatchEvent"));

    assertThat(inV3)
        .isEqualTo(
            JsonParser.parseString(
                """
                [{"group": "", "version": "v1", "kind": "DeleteOptions"},
                 {"group": "batch", "version": "v1", "kind": "DeleteOptions"}]
                """));
    assertThat(inV2).hasSize(25);
    assertThat(kinds(definition(META + "Status"))).hasSize(1);
    assertThat(kinds(definition("io.k8s.api.autoscaling.v1.Scale")))
        .isEqualTo(
            JsonParser.parseString(
                """
                [{"group": "autoscaling", "version": "v1", "kind": "Scale"}]
                """));
    assertThat(definition(CORE + "PodSpec").has("x-kubernetes-group-version-kind")).isFalse();
  }

  @Test
  void sharedParameters_inV2_standOnce() {
    JsonObject item = Documents.at(v2, "paths", "/api/v1/namespaces/{namespace}/pods/{name}");

    assertThat(item.get("parameters"))
        .isEqualTo(
            JsonParser.parseString(
                """
                [{"name": "name", "in": "path", "description": "The name of the Pod.",
                  "required": true, "type": "string", "uniqueItems": true},
                 {"$ref": "#/parameters/namespace"}, {"$ref": "#/parameters/pretty"}]
                """));
    assertThat(Documents.at(v2, "parameters", "fieldValidation"))
        .isEqualTo(
            TreeJson.parse(
                """
                {"name": "fieldValidation", "in": "query", "description": "fieldValidation",
                 "type": "string", "uniqueItems": true}
                """));
  }

  @Test
  void create_inV2_hasItsBodyMediaTypesAndAnswers() {
    JsonObject create =
        Documents.at(v2, "paths", "/apis/apps/v1/namespaces/{namespace}/deployments", "post");

    assertThat(create)
        .isEqualTo(
            TreeJson.parse(
                """
                {"description": "Creates an object of kind Deployment.",
                 "consumes": ["*/*"],
                 "produces": ["application/json", "application/yaml",
                   "application/vnd.kubernetes.protobuf"],
                 "schemes": ["https"], "tags": ["apps_v1"],
                 "operationId": "createAppsV1NamespacedDeployment",
                 "parameters": [
                  {"name": "body", "in": "body", "required": true,
                   "schema": {"$ref": "#/definitions/io.k8s.api.apps.v1.Deployment"}},
                  {"$ref": "#/parameters/dryRun"}, {"$ref": "#/parameters/fieldManager"},
                  {"$ref": "#/parameters/fieldValidation"}],
                 "responses": {
                  "200": {"description": "OK",
                    "schema": {"$ref": "#/definitions/io.k8s.api.apps.v1.Deployment"}},
                  "201": {"description": "Created",
                    "schema": {"$ref": "#/definitions/io.k8s.api.apps.v1.Deployment"}},
                  "202": {"description": "Accepted",
                    "schema": {"$ref": "#/definitions/io.k8s.api.apps.v1.Deployment"}},
                  "401": {"description": "Unauthorized"}},
                 "x-kubernetes-action": "post",
                 "x-kubernetes-group-version-kind":
                  {"group": "apps", "version": "v1", "kind": "Deployment"}}
                """));
  }

  @Test
  void scale_ofAnotherGroup_isNamedAfterItsParentAndAnswersScale() {
    JsonObject patch =
        Documents.at(
            Documents.v3(documents, "apis/apps/v1"),
            "paths",
            "/apis/apps/v1/namespaces/{namespace}/deployments/{name}/scale",
            "patch");

    assertThat(patch.get("operationId").getAsString())
        .isEqualTo("patchAppsV1NamespacedDeploymentScale");
    assertThat(patch.get("x-kubernetes-group-version-kind"))
        .isEqualTo(
            TreeJson.parse(
                """
                {"group": "autoscaling", "version": "v1", "kind": "Scale"}
                """));
    assertThat(Documents.at(patch, "requestBody", "content").keySet())
        .containsExactly(
            "application/apply-patch+yaml",
            "application/json-patch+json",
            "application/merge-patch+json",
            "application/strategic-merge-patch+json");
  }

  @Test
  void streams_written_haveAnOperationForEachMethodAndTheOptionsAsParameters() {
    JsonObject exec = corePath("/api/v1/namespaces/{namespace}/pods/{name}/exec");

    assertThat(exec.keySet()).containsExactly("get", "post", "parameters");
    assertThat(names(exec.getAsJsonArray("parameters")))
        .containsExactly(
            "command", "container", "name", "namespace", "stderr", "stdin", "stdout", "tty");
    JsonObject get = exec.getAsJsonObject("get");
    assertThat(get.get("operationId").getAsString()).isEqualTo("connectCoreV1GetNamespacedPodExec");
    assertThat(get.get("x-kubernetes-action").getAsString()).isEqualTo("connect");
    assertThat(Documents.at(get, "responses", "200", "content", "*/*", "schema"))
        .isEqualTo(TreeJson.parse("{\"type\": \"string\"}"));
  }

  @Test
  void proxies_written_goOnBehindTheirPath() {
    JsonObject proxy = corePath("/api/v1/nodes/{name}/proxy/{path}");

    assertThat(proxy.keySet())
        .containsExactly("get", "put", "post", "delete", "options", "head", "patch", "parameters");
    assertThat(names(proxy.getAsJsonArray("parameters"))).containsExactly("name", "path", "path");
    assertThat(proxy.getAsJsonObject("head").get("operationId").getAsString())
        .isEqualTo("connectCoreV1HeadNodeProxyWithPath");
    assertThat(corePath("/api/v1/nodes/{name}/proxy").keySet()).hasSize(8);
  }

  @Test
  void log_read_isTextWithTheLogOptions() {
    JsonObject log = corePath("/api/v1/namespaces/{namespace}/pods/{name}/log");

    assertThat(names(log.getAsJsonArray("parameters")))
        .containsExactly(
            "container",
            "follow",
            "insecureSkipTLSVerifyBackend",
            "limitBytes",
            "name",
            "namespace",
            "pretty",
            "previous",
            "sinceSeconds",
            "stream",
            "tailLines",
            "timestamps");
    assertThat(Documents.at(log, "get", "responses", "200", "content", "text/plain", "schema"))
        .isEqualTo(TreeJson.parse("{\"type\": \"string\"}"));
  }

  @Test
  void subresourcesThatAreCreated_written_takeTheObjectsPath() {
    JsonObject eviction = corePath("/api/v1/namespaces/{namespace}/pods/{name}/eviction");

    assertThat(eviction.getAsJsonObject("post").get("operationId").getAsString())
        .isEqualTo("createCoreV1NamespacedPodEviction");
    assertThat(names(eviction.getAsJsonArray("parameters")))
        .containsExactly(
            "dryRun", "fieldManager", "fieldValidation", "name", "namespace", "pretty");
    assertThat(
            corePath("/api/v1/namespaces/{name}/finalize")
                .getAsJsonObject("put")
                .get("operationId")
                .getAsString())
        .isEqualTo("replaceCoreV1NamespaceFinalize");
  }

  @Test
  void reviews_written_canOnlyBeCreated() {
    JsonObject paths =
        Documents.v3(documents, "apis/authorization.k8s.io/v1").getAsJsonObject("paths");

    assertThat(paths.keySet())
        .containsExactly(
            "/apis/authorization.k8s.io/v1/",
            "/apis/authorization.k8s.io/v1/namespaces/{namespace}/localsubjectaccessreviews",
            "/apis/authorization.k8s.io/v1/selfsubjectaccessreviews",
            "/apis/authorization.k8s.io/v1/selfsubjectrulesreviews",
            "/apis/authorization.k8s.io/v1/subjectaccessreviews");
    assertThat(Documents.at(paths, "/apis/authorization.k8s.io/v1/subjectaccessreviews").keySet())
        .containsExactly("post", "parameters");
  }

  private JsonObject schema(String name) {
    return Documents.at(core, "components", "schemas", name);
  }

  private JsonObject definition(String name) {
    return Documents.at(v2, "definitions", name);
  }

  private JsonObject corePath(String path) {
    return Documents.at(core, "paths", path);
  }

  private static JsonArray kinds(JsonObject schema) {
    return schema.getAsJsonArray("x-kubernetes-group-version-kind");
  }

  private static List<String> names(JsonArray parameters) {
    return parameters.asList().stream()
        .map(JsonElement::getAsJsonObject)
        .map(parameter -> parameter.get("name").getAsString())
        .toList();
  }
}
