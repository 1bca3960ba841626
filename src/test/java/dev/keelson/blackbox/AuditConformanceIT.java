package dev.keelson.blackbox;

import static dev.keelson.testing.Eventually.assertEventually;
import static org.assertj.core.api.Assertions.assertThat;

import com.google.gson.JsonElement;
import com.google.gson.JsonObject;
import com.google.gson.JsonParser;
import com.sun.net.httpserver.HttpExchange;
import dev.keelson.testing.IdentityProvider;
import dev.keelson.testing.KeelsonProcess;
import dev.keelson.testing.RestClient;
import io.restassured.response.Response;
import io.restassured.specification.RequestSpecification;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Base64;
import java.util.List;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.TestInstance.Lifecycle;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * The cases of Kubernetes' own tests of the audit of a whole server
 * (test/integration/controlplane/audit, test/e2e/auth/audit.go).
 */
@TestInstance(Lifecycle.PER_CLASS)
@Timeout(300)
class AuditConformanceIT {

  private static final String WEBHOOK = "auditmutation.integration.test";
  private static final String PATCH =
      "[{\"op\":\"add\",\"path\":\"/data\",\"value\":{\"test\":\"dummy\"}}]";
  private static final String DELETE_OPTIONS = "{\"kind\":\"DeleteOptions\",\"apiVersion\":\"v1\"}";

  private static final String POLICY =
      """
      apiVersion: audit.k8s.io/v1
      kind: Policy
      rules:
      - {level: None, users: [filtered, "system:serviceaccount:default:quiet"]}
      - {level: RequestResponse, namespaces: [no-webhook], resources: [{resources: [configmaps]}]}
      - {level: Metadata, namespaces: [webhook-metadata], resources: [{resources: [configmaps]}]}
      - {level: Request, namespaces: [webhook-request], resources: [{resources: [configmaps]}]}
      - {level: RequestResponse, namespaces: [webhook-response], resources: [{resources: [configmaps]}]}
      - {level: Request, namespaces: [create-request], resources: [{resources: [serviceaccounts/token]}]}
      - {level: RequestResponse, namespaces: [create-response], resources: [{resources: [serviceaccounts/token]}]}
      - {level: Request, namespaces: [update-request], resources: [{group: apps, resources: [deployments/scale]}]}
      - {level: RequestResponse, namespaces: [update-response], resources: [{group: apps, resources: [deployments/scale]}]}
      - {level: Request, namespaces: [any-group], resources: [{group: "*", resources: [deployments]}]}
      - {level: RequestResponse, resources: [{group: apiextensions.k8s.io, resources: [customresourcedefinitions]}]}
      - {level: Metadata, resources: [{group: audit.example.com}]}
      - {level: Request, resources: [{resources: [configmaps, pods]}]}
      """;

  private IdentityProvider webhook;
  private KeelsonProcess server;
  private RestClient admin;
  private Path log;

  @BeforeAll
  void start(@TempDir Path directory) throws IOException {
    webhook = new IdentityProvider();
    webhook.path("/mutation", AuditConformanceIT::admit);
    log = directory.resolve("audit.log");
    Path policy = Files.writeString(directory.resolve("policy.yaml"), POLICY);
    server =
        KeelsonProcess.start(
            directory.resolve("data"),
            List.of(
                "--audit-policy-file=" + policy,
                "--audit-log-version=audit.k8s.io/v1",
                "--authorization-mode=RBAC",
                "--audit-log-mode=blocking",
                "--audit-log-path=" + log));
    admin = RestClient.administrator(server);
    createMutatingWebhook();
  }

  @AfterAll
  void stop() {
    server.close();
    webhook.close();
  }

  @Test
  void everyVerb_isRecordedWithItsObjects() {
    namespace("no-webhook");
    String all = "/api/v1/namespaces/no-webhook/configmaps";
    String one = all + "/audit-configmap";

    as("v-create").body(configMap("")).post(all);
    as("v-get").get(one);
    as("v-watch").get(all + "?timeoutSeconds=1&watch=true");
    as("v-update").body(configMap("")).put(one);
    as("v-patch").contentType("application/json-patch+json").body("[]").patch(one);
    as("v-list").get(all);
    as("v-delete").body(DELETE_OPTIONS).delete(one);
    as("v-gone").get(one);

    assertEvent("v-create", "ResponseComplete", "RequestResponse create 201 request response");
    assertEvent("v-get", "ResponseComplete", "RequestResponse get 200 response");
    assertEvent("v-list", "ResponseComplete", "RequestResponse list 200 response");
    assertEvent("v-watch", "ResponseStarted", "RequestResponse watch 200");
    assertEvent("v-watch", "ResponseComplete", "RequestResponse watch 200");
    assertEvent("v-update", "ResponseComplete", "RequestResponse update 200 request response");
    assertEvent("v-patch", "ResponseComplete", "RequestResponse patch 200 request response");
    assertEvent("v-delete", "ResponseComplete", "RequestResponse delete 200 request response");
    assertEvent("v-gone", "ResponseComplete", "RequestResponse get 404 response");
    assertThat(event("v-patch", "ResponseComplete").get("requestObject")).hasToString("[]");
    for (String id : List.of("v-create", "v-get", "v-list", "v-watch", "v-delete")) {
      JsonObject object = event(id, "ResponseComplete").getAsJsonObject("objectRef");
      assertThat(object.get("resource").getAsString()).isEqualTo("configmaps");
      assertThat(object.get("namespace").getAsString()).isEqualTo("no-webhook");
    }
  }

  @ParameterizedTest
  @CsvSource({
    "webhook-metadata, Metadata, ''",
    "webhook-request, Request, ' request'",
    "webhook-response, RequestResponse, ' request response'",
  })
  void mutation_isAnnotated_andItsPatchFromRequestOn(
      String namespace, String level, String objects) {
    namespace(namespace);
    String all = "/api/v1/namespaces/" + namespace + "/configmaps";
    String labels = ",\"labels\":{\"admission\":\"true\"}";

    as(namespace + "-create").body(configMap(labels)).post(all);
    as(namespace + "-update").body(configMap(labels)).put(all + "/audit-configmap");

    assertEvent(namespace + "-create", "ResponseComplete", level + " create 201" + objects);
    assertEvent(namespace + "-update", "ResponseComplete", level + " update 200" + objects);
    for (String verb : List.of("-create", "-update")) {
      JsonObject annotations =
          event(namespace + verb, "ResponseComplete").getAsJsonObject("annotations");
      assertThat(annotations.get("mutation.webhook.admission.k8s.io/round_0_index_0").getAsString())
          .isEqualTo(
              "{\"configuration\":\""
                  + WEBHOOK
                  + "\",\"webhook\":\""
                  + WEBHOOK
                  + "\",\"mutated\":true}");
      JsonElement patch = annotations.get("patch.webhook.admission.k8s.io/round_0_index_0");
      if (objects.isEmpty()) {
        assertThat(patch).isNull();
      } else {
        assertThat(patch.getAsString())
            .isEqualTo(
                "{\"configuration\":\""
                    + WEBHOOK
                    + "\",\"webhook\":\""
                    + WEBHOOK
                    + "\",\"patch\":"
                    + PATCH
                    + ",\"patchType\":\"JSONPatch\"}");
      }
    }
  }

  @ParameterizedTest
  @CsvSource({"request, Request, ''", "response, RequestResponse, ' response'"})
  void subresourcesOfOtherGroups_areRecorded(String name, String level, String response) {
    String create = "create-" + name;
    namespace(create);
    String account = "/api/v1/namespaces/" + create + "/serviceaccounts";
    as("").body("{\"metadata\":{\"name\":\"audit-serviceaccount\"}}").post(account);
    as(create)
        .body("{\"spec\":{\"audiences\":[\"api\"]}}")
        .post(account + "/audit-serviceaccount/token");
    String update = "update-" + name;
    namespace(update);
    String deployments = "/apis/apps/v1/namespaces/" + update + "/deployments";
    as("").body(deployment()).post(deployments);
    as(update)
        .body(
            "{\"kind\":\"Scale\",\"apiVersion\":\"autoscaling/v1\",\"metadata\":{\"name\":"
                + "\"audit-deployment\",\"namespace\":\""
                + update
                + "\"},\"spec\":{\"replicas\":2}}")
        .put(deployments + "/audit-deployment/scale");

    assertEvent(create, "ResponseComplete", level + " create 201 request" + response);
    assertEvent(update, "ResponseComplete", level + " update 200 request" + response);
    assertThat(object(create)).contains("\"serviceaccounts\"", "\"subresource\":\"token\"");
    assertThat(object(update))
        .contains("\"deployments\"", "\"apiGroup\":\"apps\"", "\"subresource\":\"scale\"");
  }

  @Test
  void anyGroup_isMatched() {
    namespace("any-group");

    as("any-group").body(deployment()).post("/apis/apps/v1/namespaces/any-group/deployments");

    assertEvent("any-group", "ResponseComplete", "Request create 201 request");
  }

  @Test
  void policy_looksAtTheUserWhoSentTheRequest_notAtTheImpersonatedOne() {
    String configMaps = "/api/v1/namespaces/default/configmaps";
    Response account =
        as("")
            .body("{\"metadata\":{\"name\":\"quiet\"}}")
            .post("/api/v1/namespaces/default/serviceaccounts");
    assertThat(account.statusCode()).isEqualTo(201);
    for (String subject :
        List.of(
            "{\"kind\":\"User\",\"name\":\"filtered\",\"apiGroup\":\"rbac.authorization.k8s.io\"}",
            "{\"kind\":\"ServiceAccount\",\"name\":\"quiet\",\"namespace\":\"default\"}")) {
      Response bound =
          as("")
              .body(
                  "{\"metadata\":{\"generateName\":\"audit-\"},\"roleRef\":{\"kind\":\"ClusterRole\","
                      + "\"name\":\"cluster-admin\",\"apiGroup\":\"rbac.authorization.k8s.io\"},"
                      + "\"subjects\":["
                      + subject
                      + "]}")
              .post("/apis/rbac.authorization.k8s.io/v1/clusterrolebindings");
      assertThat(bound.statusCode()).isEqualTo(201);
    }
    String token =
        as("")
            .body("{}")
            .post("/api/v1/namespaces/default/serviceaccounts/quiet/token")
            .path("status.token");

    Response noted =
        as("p-noted")
            .header("Impersonate-User", "filtered")
            .body("{\"metadata\":{\"name\":\"noted\"}}")
            .post(configMaps);
    Response quiet =
        RestClient.nobody(server)
            .json("{\"metadata\":{\"name\":\"quiet\"}}")
            .header("Authorization", "Bearer " + token)
            .header("Impersonate-User", "loud")
            .header("Impersonate-Group", "system:masters")
            .header("Audit-ID", "p-quiet")
            .post(configMaps);
    as("p-after").get(configMaps);

    assertThat(noted.statusCode()).isEqualTo(201);
    assertThat(quiet.statusCode()).isEqualTo(201);
    JsonObject event = event("p-noted", "ResponseComplete");
    assertThat(event.getAsJsonObject("impersonatedUser").get("username").getAsString())
        .isEqualTo("filtered");
    assertThat(event.getAsJsonObject("user").get("username").getAsString())
        .isNotEqualTo("filtered");
    assertEvent("p-after", "ResponseComplete", "Request list 200");
    assertThat(text()).doesNotContain("p-quiet");
  }

  @Test
  void impersonation_isRecorded_whetherAllowedOrNot() {
    as("i-anonymous")
        .header("Impersonate-User", "system:anonymous")
        .header("Impersonate-Group", "system:unauthenticated")
        .get("/api/v1/namespaces/default/pods/another-audit-pod");
    as("i-superman")
        .header("Impersonate-User", "superman")
        .header("Impersonate-Group", "system:masters")
        .get("/api/v1/namespaces/default/pods");

    JsonObject anonymous = event("i-anonymous", "ResponseComplete");
    assertThat(summary(anonymous)).isEqualTo("Request get 403");
    assertThat(anonymous.getAsJsonObject("impersonatedUser"))
        .hasToString("{\"username\":\"system:anonymous\",\"groups\":[\"system:unauthenticated\"]}");
    assertThat(decision(anonymous)).isEqualTo("forbid");
    JsonObject superman = event("i-superman", "ResponseComplete");
    assertThat(summary(superman)).isEqualTo("Request list 200");
    assertThat(superman.getAsJsonObject("impersonatedUser"))
        .hasToString(
            "{\"username\":\"superman\",\"groups\":[\"system:masters\",\"system:authenticated\"]}");
    assertThat(decision(superman)).isEqualTo("allow");
  }

  @Test
  void customResources_areRecordedAsTheirGroupSays() {
    String definitions = "/apis/apiextensions.k8s.io/v1/customresourcedefinitions";
    String widgets = "/apis/audit.example.com/v1/widgets";
    as("c-define")
        .body(
            "{\"metadata\":{\"name\":\"widgets.audit.example.com\"},\"spec\":{\"group\":"
                + "\"audit.example.com\",\"scope\":\"Cluster\",\"names\":{\"plural\":\"widgets\","
                + "\"kind\":\"Widget\"},\"versions\":[{\"name\":\"v1\",\"served\":true,"
                + "\"storage\":true,\"schema\":{\"openAPIV3Schema\":{\"type\":\"object\"}}}]}}")
        .post(definitions);
    assertEventually(
        () -> assertThat(admin.get(widgets).statusCode()).as("it is served").isEqualTo(200));
    as("c-create")
        .body(
            "{\"apiVersion\":\"audit.example.com/v1\",\"kind\":\"Widget\",\"metadata\":{\"name\":"
                + "\"setup-instance\"}}")
        .post(widgets);
    as("c-remove").delete(widgets + "/setup-instance");
    as("c-undefine").delete(definitions + "/widgets.audit.example.com");

    assertEvent("c-define", "ResponseComplete", "RequestResponse create 201 request response");
    assertEvent("c-create", "ResponseComplete", "Metadata create 201");
    assertEvent("c-remove", "ResponseComplete", "Metadata delete 200");
    assertEvent("c-undefine", "ResponseComplete", "RequestResponse delete 200 response");
  }

  @Test
  void applyPatch_isRecordedAsJson_andAMalformedPatchIsRefused() {
    String one = "/api/v1/namespaces/default/configmaps/applied?fieldManager=it&force=true";
    as("a-yaml")
        .contentType("application/apply-patch+yaml")
        .body(
            "apiVersion: v1\nkind: ConfigMap\nmetadata:\n  name: applied\ndata:\n  k: yaml-value\n")
        .patch(one);

    JsonObject event = event("a-yaml", "ResponseComplete");
    assertThat(summary(event)).isEqualTo("Request patch 201 request");
    assertThat(event.getAsJsonObject("requestObject").getAsJsonObject("data"))
        .hasToString("{\"k\":\"yaml-value\"}");
    assertMalformed("application/apply-patch+yaml", ":\n  invalid");
    assertMalformed(
        "application/json-patch+json", "[{\"op\": \"add\", \"path\": \"/a\", \"value\": 1");
    assertMalformed("application/merge-patch+json", "{\"a\": 1");
    assertMalformed("application/strategic-merge-patch+json", "{\"a\": 1");
  }

  private void assertMalformed(String type, String patch) {
    String id = "m-" + type.replace('/', '-');
    Response answer =
        as(id)
            .contentType(type)
            .body(patch)
            .patch("/api/v1/namespaces/default/configmaps/applied?fieldManager=it");

    assertThat(answer.statusCode()).as(type).isEqualTo(400);
    assertEvent(id, "ResponseComplete", "Request patch 400");
  }

  /** A request with a body of JSON, if it has one, and an audit id. */
  private RequestSpecification as(String auditId) {
    RequestSpecification request = admin.request().contentType("application/json");
    return auditId.isEmpty() ? request : request.header("Audit-ID", auditId);
  }

  private void namespace(String name) {
    assertThat(
            admin
                .post("/api/v1/namespaces", "{\"metadata\":{\"name\":\"" + name + "\"}}")
                .statusCode())
        .isEqualTo(201);
  }

  private void assertEvent(String auditId, String stage, String expected) {
    assertEventually(() -> assertThat(summaryOf(auditId, stage)).isEqualTo(expected));
    assertThat(decision(event(auditId, stage))).isEqualTo("allow");
  }

  private String summaryOf(String auditId, String stage) {
    List<JsonObject> found = events(auditId, stage);
    return found.isEmpty() ? "none" : summary(found.getFirst());
  }

  private static String summary(JsonObject event) {
    return event.get("level").getAsString()
        + " "
        + event.get("verb").getAsString()
        + " "
        + event.getAsJsonObject("responseStatus").get("code").getAsInt()
        + (event.has("requestObject") ? " request" : "")
        + (event.has("responseObject") ? " response" : "");
  }

  private static String decision(JsonObject event) {
    return event.getAsJsonObject("annotations").get("authorization.k8s.io/decision").getAsString();
  }

  private String object(String auditId) {
    return event(auditId, "ResponseComplete").getAsJsonObject("objectRef").toString();
  }

  private JsonObject event(String auditId, String stage) {
    List<JsonObject> found = events(auditId, stage);
    assertThat(found).as(auditId).hasSize(1);
    return found.getFirst();
  }

  private List<JsonObject> events(String auditId, String stage) {
    return text()
        .lines()
        .filter(
            line ->
                line.contains("\"auditID\":\"" + auditId + "\"")
                    && line.contains("\"stage\":\"" + stage + "\""))
        .map(line -> JsonParser.parseString(line).getAsJsonObject())
        .toList();
  }

  private String text() {
    try {
      return Files.readString(log);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static String configMap(String labels) {
    return "{\"metadata\":{\"name\":\"audit-configmap\""
        + labels
        + "},\"data\":{\"map-key\":\"map-value\"}}";
  }

  private static String deployment() {
    return "{\"metadata\":{\"name\":\"audit-deployment\"},\"spec\":{\"selector\":{\"matchLabels\":"
        + "{\"app\":\"test\"}},\"template\":{\"metadata\":{\"labels\":{\"app\":\"test\"}},\"spec\":"
        + "{\"containers\":[{\"name\":\"foo\",\"image\":\"foo/bar\"}]}}}}";
  }

  private void createMutatingWebhook() {
    String authority =
        Base64.getEncoder()
            .encodeToString(webhook.certificatePem().getBytes(StandardCharsets.US_ASCII));
    Response created =
        admin.post(
            "/apis/admissionregistration.k8s.io/v1/mutatingwebhookconfigurations",
            "{\"metadata\":{\"name\":\""
                + WEBHOOK
                + "\"},\"webhooks\":[{\"name\":\""
                + WEBHOOK
                + "\",\"clientConfig\":{\"url\":\""
                + webhook.url()
                + "/mutation\",\"caBundle\":\""
                + authority
                + "\"},\"rules\":[{\"operations\":[\"CREATE\",\"UPDATE\"],\"apiGroups\":[\"*\"],"
                + "\"apiVersions\":[\"*\"],\"resources\":[\"*/*\"]}],\"objectSelector\":"
                + "{\"matchLabels\":{\"admission\":\"true\"}},\"failurePolicy\":\"Fail\","
                + "\"admissionReviewVersions\":[\"v1\"],\"sideEffects\":\"None\"}]}");
    assertThat(created.statusCode()).as(created.asString()).isEqualTo(201);
  }

  private static String admit(HttpExchange exchange) {
    JsonObject review =
        JsonParser.parseReader(
                new InputStreamReader(exchange.getRequestBody(), StandardCharsets.UTF_8))
            .getAsJsonObject();
    String uid = review.getAsJsonObject("request").get("uid").getAsString();
    return "{\"apiVersion\":\"admission.k8s.io/v1\",\"kind\":\"AdmissionReview\",\"response\":"
        + "{\"uid\":\""
        + uid
        + "\",\"allowed\":true,\"patchType\":\"JSONPatch\",\"patch\":\""
        + Base64.getEncoder().encodeToString(PATCH.getBytes(StandardCharsets.UTF_8))
        + "\"}}";
  }
}
