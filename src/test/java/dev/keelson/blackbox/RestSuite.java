package dev.keelson.blackbox;

import static org.assertj.core.api.Assertions.assertThat;

import dev.keelson.schema.ResourceDefinition;
import dev.keelson.testing.Eventually;
import dev.keelson.testing.KeelsonProcess;
import dev.keelson.testing.MatrixTypes;
import dev.keelson.testing.RestClient;
import dev.keelson.testing.SmallestObjects;
import io.restassured.path.json.JsonPath;
import io.restassured.response.Response;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** The verbs by HTTP, on every resource that is stored and in every version. */
@Timeout(120)
abstract class RestSuite {

  private static final AtomicInteger COUNT = new AtomicInteger();

  /** The indices below are for the lifecycle tests, so that addresses differ. */
  private static final AtomicInteger INDEX = new AtomicInteger(1);

  private final RestClient client;

  RestSuite(KeelsonProcess server) {
    client = RestClient.administrator(server);
    MatrixTypes.install(client);
  }

  /** A resource with paths of its own. */
  record Case(ResourceDefinition resource) {
    String version() {
      return resource.gvr().apiVersion();
    }

    String root() {
      return (resource.gvr().group().isEmpty() ? "/api/" : "/apis/") + version();
    }

    /** Of all namespaces. */
    String everywhere() {
      return root() + "/" + resource.gvr().resource();
    }

    String collection(String namespace) {
      return resource.namespaced()
          ? root() + "/namespaces/" + namespace + "/" + resource.gvr().resource()
          : everywhere();
    }

    @Override
    public String toString() {
      return version() + " " + resource.gvr().resource();
    }
  }

  static List<Case> cases() {
    return Stream.concat(SmallestObjects.undisturbed().stream(), MatrixTypes.resources().stream())
        .map(Case::new)
        .toList();
  }

  @ParameterizedTest
  @MethodSource("cases")
  void createReadListReplaceDelete(Case each) {
    String namespace = namespace();
    String collection = each.collection(namespace);
    Map<String, Object> sent = object(each, namespace, "one");
    String name = name(sent);
    String path = collection + "/" + name;

    Response created = client.post(collection, sent);
    assertThat(created.statusCode()).as(created.asString()).isEqualTo(201);
    assertThat(created.contentType()).isEqualTo("application/json");
    JsonPath object = created.jsonPath();
    assertThat(object.getString("kind")).isEqualTo(each.resource().kind());
    assertThat(object.getString("apiVersion")).isEqualTo(each.version());
    assertThat(object.getString("metadata.uid")).hasSize(36);
    assertThat(object.getString("metadata.resourceVersion")).matches("[1-9][0-9]*");
    assertThat(object.getString("metadata.creationTimestamp"))
        .matches("\\d{4}-\\d\\d-\\d\\dT\\d\\d:\\d\\d:\\d\\dZ");
    assertThat(object.getString("metadata.namespace"))
        .isEqualTo(each.resource().namespaced() ? namespace : null);
    String uid = object.getString("metadata.uid");

    expectStatus(
        client.post(collection, sent),
        409,
        "AlreadyExists",
        plural(each) + " \"" + name + "\" already exists",
        each,
        name);

    assertThat(client.get(path).asString()).isEqualTo(created.asString());
    assertThat(client.request().queryParam("pretty", "true").get(path).jsonPath().getMap("$"))
        .isEqualTo(created.jsonPath().getMap("$"));
    expectStatus(
        client.get(collection + "/none"),
        404,
        "NotFound",
        plural(each) + " \"none\" not found",
        each,
        "none");

    for (String list : List.of(collection, each.everywhere())) {
      JsonPath listed =
          client
              .request()
              .queryParam("labelSelector", "run=" + label(sent))
              .get(list)
              .then()
              .statusCode(200)
              .extract()
              .jsonPath();
      assertThat(listed.getString("kind")).isEqualTo(each.resource().kind() + "List");
      assertThat(listed.getString("apiVersion")).isEqualTo(each.version());
      assertThat(listed.getLong("metadata.resourceVersion"))
          .isGreaterThanOrEqualTo(object.getLong("metadata.resourceVersion"));
      assertThat(listed.getList("items.metadata.uid")).containsExactly(uid);
      // the items of untyped lists name their type
      assertThat(listed.getMap("items[0]").containsKey("kind"))
          .isEqualTo(each.resource().custom() != null);
      assertThat(listed.getMap("items[0].metadata")).isEqualTo(object.getMap("metadata"));
    }
    assertThat(
            client
                .request()
                .queryParam("fieldSelector", "metadata.name=" + name)
                .get(collection)
                .jsonPath()
                .getList("items.metadata.name"))
        .containsExactly(name);

    Map<String, Object> changed = with(object.getMap("$"), "changed", "yes");
    JsonPath replaced = client.put(path, changed).then().statusCode(200).extract().jsonPath();
    assertThat(replaced.getString("metadata.labels.changed")).isEqualTo("yes");
    assertThat(replaced.getString("metadata.uid")).isEqualTo(uid);
    assertThat(replaced.getLong("metadata.resourceVersion"))
        .isGreaterThan(object.getLong("metadata.resourceVersion"));
    expectStatus(
        client.put(path, changed),
        409,
        "Conflict",
        "Operation cannot be fulfilled on "
            + plural(each)
            + " \""
            + name
            + "\": the object has been modified; please apply your changes to the latest version"
            + " and try again",
        each,
        name);
    // what admission has added to a pod may not be taken away again, so not what was sent
    Map<String, Object> again = with(replaced.getMap("$"), "changed", "again");
    metadata(again).remove("resourceVersion");
    Response unconditional = client.put(path, again);
    assertThat(unconditional.statusCode())
        .isEqualTo(each.resource().behaviour().unconditionalUpdate() ? 200 : 422);

    assertThat(
            client
                .delete(path, Map.of("preconditions", Map.of("uid", "another")))
                .then()
                .statusCode(409)
                .extract()
                .jsonPath()
                .getString("reason"))
        .isEqualTo("Conflict");
    Response gone = client.request().queryParam("propagationPolicy", "Background").delete(path);
    assertThat(gone.statusCode()).as(gone.asString()).isEqualTo(200);
    JsonPath deleted = gone.jsonPath();
    if (isNamespaces(each)) {
      assertThat(deleted.getString("status.phase")).isEqualTo("Terminating");
      return;
    }
    if (isProtected(each)) {
      assertThat(deleted.getString("kind")).isEqualTo(each.resource().kind());
      assertThat(deleted.getString("metadata.deletionTimestamp")).isNotNull();
      expectGone(each, path);
      return;
    }
    assertThat(deleted.getString("kind")).isEqualTo("Status");
    assertThat(deleted.getString("status")).isEqualTo("Success");
    assertThat(deleted.getInt("code")).isEqualTo(200);
    assertThat(deleted.getString("details.uid")).isEqualTo(uid);
    assertThat(deleted.getString("details.kind")).isEqualTo(each.resource().gvr().resource());
    client.get(path).then().statusCode(404);
    client.delete(path).then().statusCode(404);
  }

  @ParameterizedTest
  @MethodSource("cases")
  void replaceOfWhatIsMissing(Case each) {
    String namespace = namespace();
    Map<String, Object> sent = object(each, namespace, "one");

    Response answer = client.put(each.collection(namespace) + "/" + name(sent), sent);

    if (each.resource().behaviour().createOnUpdate()) {
      assertThat(answer.statusCode()).as(answer.asString()).isEqualTo(201);
    } else {
      expectStatus(
          answer,
          404,
          "NotFound",
          plural(each) + " \"" + name(sent) + "\" not found",
          each,
          name(sent));
    }
  }

  @ParameterizedTest
  @MethodSource("cases")
  void dryRunLeavesNoTrace(Case each) {
    String namespace = namespace();
    String collection = each.collection(namespace);
    Map<String, Object> sent = object(each, namespace, "one");
    String path = collection + "/" + name(sent);

    Response tried = client.json(sent).queryParam("dryRun", "All").post(collection);
    assertThat(tried.statusCode()).as(tried.asString()).isEqualTo(201);
    assertThat(tried.jsonPath().getString("kind")).isEqualTo(each.resource().kind());
    assertThat(tried.jsonPath().getString("metadata.resourceVersion")).isNull();
    client.get(path).then().statusCode(404);

    Response created = client.post(collection, sent);
    assertThat(created.statusCode()).isEqualTo(201);
    assertThat(keys(tried)).isEqualTo(keys(created));
    client
        .json(with(created.jsonPath().getMap("$"), "changed", "yes"))
        .queryParam("dryRun", "All")
        .put(path)
        .then()
        .statusCode(200);
    client.request().queryParam("dryRun", "All").delete(path).then().statusCode(200);
    client.delete(path, Map.of("dryRun", List.of("All"))).then().statusCode(200);
    assertThat(client.get(path).asString()).isEqualTo(created.asString());
  }

  @ParameterizedTest
  @MethodSource("cases")
  void deleteCollection(Case each) {
    String namespace = namespace();
    String collection = each.collection(namespace);
    List<String> names = new ArrayList<>();
    String run = "";
    for (int i = 0; i < 2; i++) {
      Map<String, Object> sent = object(each, namespace, "n" + i);
      run = run.isEmpty() ? label(sent) : run;
      labels(sent).put("run", run);
      names.add(name(sent));
      Response created = client.post(collection, sent);
      assertThat(created.statusCode()).as(created.asString()).isEqualTo(201);
    }
    Map<String, Object> other = object(each, namespace, "other");
    client.post(collection, other).then().statusCode(201);

    Response answer =
        client
            .request()
            .queryParam("labelSelector", "run=" + run)
            .queryParam("propagationPolicy", "Background")
            .delete(collection);

    if (isNamespaces(each)) {
      expectStatus(answer, 405, "MethodNotAllowed", "", null, "");
      return;
    }
    assertThat(answer.statusCode()).as(answer.asString()).isEqualTo(200);
    assertThat(answer.jsonPath().getString("kind")).isEqualTo(each.resource().kind() + "List");
    assertThat(answer.jsonPath().getList("items.metadata.name")).isEqualTo(names);
    for (String name : names) {
      expectGone(each, collection + "/" + name);
    }
    client.get(collection + "/" + name(other)).then().statusCode(200);
    client.delete(collection + "/" + name(other)).then().statusCode(200);
  }

  @ParameterizedTest
  @MethodSource("cases")
  void yamlInAndOut(Case each) {
    String namespace = namespace();
    String collection = each.collection(namespace);
    Map<String, Object> sent = object(each, namespace, "one");
    String name = name(sent);

    Response created =
        client
            .json(sent)
            .contentType("application/yaml")
            .accept("application/yaml")
            .post(collection);

    assertThat(created.statusCode()).as(created.asString()).isEqualTo(201);
    assertThat(created.contentType()).isEqualTo("application/yaml");
    assertThat(created.asString()).contains("kind: " + each.resource().kind() + "\n");
    assertThat(client.request().accept("application/yaml").get(collection + "/" + name).asString())
        .isEqualTo(created.asString());
    Response again =
        client
            .request()
            .contentType("application/yaml")
            .body(created.asString())
            .put(collection + "/" + name);
    assertThat(again.statusCode()).as(again.asString()).isEqualTo(200);
    assertThat(again.asString()).isEqualTo(client.get(collection + "/" + name).asString());
  }

  @ParameterizedTest
  @MethodSource("cases")
  void unknownFieldsByFieldValidation(Case each) {
    String namespace = namespace();
    String collection = each.collection(namespace);
    Map<String, Object> sent = object(each, namespace, "one");
    sent.put("unheard", 1);

    Response strict = client.json(sent).queryParam("fieldValidation", "Strict").post(collection);
    expectStatus(
        strict,
        400,
        "BadRequest",
        each.resource().kind()
            + " in version \""
            + each.resource().gvr().version()
            + "\" cannot be handled as a "
            + each.resource().kind()
            + ": strict decoding error: unknown field \"unheard\"",
        null,
        "");
    Response warned =
        client
            .json(sent)
            .queryParam("fieldValidation", "Warn")
            .queryParam("dryRun", "All")
            .post(collection);
    assertThat(warned.statusCode()).isEqualTo(201);
    // old versions are warned of as well
    assertThat(warned.headers().getValues("Warning"))
        .contains("299 - \"unknown field \\\"unheard\\\"\"");
    assertThat(warned.jsonPath().getMap("$")).doesNotContainKey("unheard");
    Response ignored = client.json(sent).queryParam("fieldValidation", "Ignore").post(collection);
    assertThat(ignored.statusCode()).isEqualTo(201);
    assertThat(ignored.headers().getValues("Warning"))
        .noneMatch(warning -> warning.contains("unheard"));
  }

  @ParameterizedTest
  @MethodSource("cases")
  void whatIsRefused(Case each) {
    String namespace = namespace();
    String collection = each.collection(namespace);
    Map<String, Object> sent = object(each, namespace, "one");
    String path = collection + "/" + name(sent);

    Map<String, Object> nameless = new LinkedHashMap<>(sent);
    nameless.put("metadata", Map.of());
    if (each.resource().kind().equals("LimitRange")) {
      // its strategy names one without a name
      JsonPath named =
          client.post(collection, nameless).then().statusCode(201).extract().jsonPath();
      assertThat(named.getString("metadata.name")).hasSize(36);
    } else {
      JsonPath invalid =
          client.post(collection, nameless).then().statusCode(422).extract().jsonPath();
      assertThat(invalid.getString("reason")).isEqualTo("Invalid");
      assertThat(invalid.getString("details.kind")).isEqualTo(each.resource().kind());
      assertThat(invalid.getList("details.causes.field")).contains("metadata.name");
    }

    Map<String, Object> another = new LinkedHashMap<>(sent);
    another.put("kind", "Another");
    boolean custom = each.resource().custom() != null;
    assertThat(client.post(collection, another).statusCode()).isEqualTo(custom ? 422 : 400);
    another.put("kind", sent.get("kind"));
    another.put("apiVersion", "example.org/v1");
    assertThat(client.post(collection, another).statusCode()).isEqualTo(400);

    Map<String, Object> inferred = new LinkedHashMap<>(sent);
    inferred.remove("kind");
    inferred.remove("apiVersion");
    // custom objects must name their type
    assertThat(client.post(collection, inferred).statusCode()).isEqualTo(custom ? 400 : 201);
    if (custom) {
      client.post(collection, sent).then().statusCode(201);
    }

    expectStatus(client.post(path, sent), 405, "MethodNotAllowed", "", null, "");
    Response merged =
        client.request().contentType("application/merge-patch+json").body("{}").patch(collection);
    for (Response nobody : List.of(client.put(collection, sent), merged)) {
      if (custom) {
        expectStatus(nobody, 400, "BadRequest", "name must be provided", null, "");
      } else {
        expectStatus(nobody, 405, "MethodNotAllowed", "", null, "");
      }
    }
    expectStatus(
        client.post(each.root() + "/watch/" + each.resource().gvr().resource(), sent),
        405,
        "MethodNotAllowed",
        "",
        null,
        "");
    assertThat(client.request().head(path).statusCode()).isEqualTo(405);
    assertThat(client.get(path + "/unheard").statusCode()).isEqualTo(404);
    if (each.resource().namespaced()) {
      assertThat(client.get(each.everywhere() + "/" + name(sent)).statusCode()).isEqualTo(404);
      // kube-apiserver's handler of custom resources does not know these paths
      int unknown = custom ? 404 : 405;
      assertThat(client.post(each.everywhere(), sent).statusCode()).isEqualTo(unknown);
      assertThat(client.delete(each.everywhere()).statusCode()).isEqualTo(unknown);
      Response nowhere = client.post(each.collection("nowhere"), sent);
      assertThat(nowhere.statusCode()).isEqualTo(404);
      assertThat(nowhere.jsonPath().getString("message"))
          .isEqualTo("namespaces \"nowhere\" not found");
    }
    client.delete(path).then().statusCode(200);
  }

  /** Whether a finalizer holds the object until a controller has found that it is not in use. */
  static boolean isProtected(Case each) {
    return Set.of("persistentvolumeclaims", "persistentvolumes", "volumeattributesclasses")
        .contains(each.resource().gvr().resource());
  }

  private void expectGone(Case each, String path) {
    if (isProtected(each)) {
      Eventually.assertEventually(() -> assertThat(client.get(path).statusCode()).isEqualTo(404));
    } else {
      client.get(path).then().statusCode(404);
    }
  }

  /** A namespace of its own for each test. */
  private String namespace() {
    String name = "rest-" + COUNT.incrementAndGet();
    client
        .post("/api/v1/namespaces", Map.of("metadata", Map.of("name", name)))
        .then()
        .statusCode(201);
    return name;
  }

  private static Map<String, Object> object(Case each, String namespace, String name) {
    int index = INDEX.getAndUpdate(before -> before % 250 + 1);
    Map<String, Object> object =
        SmallestObjects.of(each.resource(), namespace, namespace + "-" + name, index);
    labels(object).put("run", namespace + "-" + name);
    return object;
  }

  @SuppressWarnings("unchecked")
  private static Map<String, Object> labels(Map<String, Object> object) {
    Map<String, Object> metadata = (Map<String, Object>) metadata(object);
    return (Map<String, Object>)
        metadata.computeIfAbsent("labels", key -> new LinkedHashMap<String, Object>());
  }

  static Map<?, ?> metadata(Map<?, ?> object) {
    return (Map<?, ?>) Objects.requireNonNull(object.get("metadata"));
  }

  private static String label(Map<String, Object> object) {
    return String.valueOf(labels(object).get("run"));
  }

  static String name(Map<String, Object> object) {
    return String.valueOf(metadata(object).get("name"));
  }

  private static Map<String, Object> with(Map<?, ?> object, String label, String value) {
    return withLabels(object, Map.of(label, value));
  }

  /** The object with one more label. */
  static Map<String, Object> labelled(Map<?, ?> object, String label, String value) {
    Map<String, Object> labels = new LinkedHashMap<>();
    if (metadata(object).get("labels") instanceof Map<?, ?> old) {
      old.forEach((key, entry) -> labels.put(String.valueOf(key), entry));
    }
    labels.put(label, value);
    return withLabels(object, labels);
  }

  private static Map<String, Object> withLabels(Map<?, ?> object, Map<String, ?> labels) {
    Map<String, Object> changed = new LinkedHashMap<>();
    object.forEach((key, entry) -> changed.put(String.valueOf(key), entry));
    Map<String, Object> metadata = new LinkedHashMap<>();
    metadata(object).forEach((key, entry) -> metadata.put(String.valueOf(key), entry));
    metadata.put("labels", labels);
    changed.put("metadata", metadata);
    return changed;
  }

  /** The names of fields, in order. */
  private static List<String> keys(Response answer) {
    return new ArrayList<>(answer.jsonPath().<String, Object>getMap("$").keySet());
  }

  private static boolean isNamespaces(Case each) {
    return each.resource().kind().equals("Namespace");
  }

  private static String plural(Case each) {
    return each.resource().groupResource().toString();
  }

  /**
   * Checks a Status.
   *
   * @param message the message, or empty if it does not matter
   * @param about the resource that the details name, or null if they name none
   */
  private static void expectStatus(
      Response answer, int code, String reason, String message, @Nullable Case about, String name) {
    assertThat(answer.statusCode()).as(answer.asString()).isEqualTo(code);
    JsonPath status = answer.jsonPath();
    assertThat(status.getString("kind")).isEqualTo("Status");
    assertThat(status.getString("apiVersion")).isEqualTo("v1");
    assertThat(status.getString("status")).isEqualTo("Failure");
    assertThat(status.getString("reason")).isEqualTo(reason);
    assertThat(status.getInt("code")).isEqualTo(code);
    if (!message.isEmpty()) {
      assertThat(status.getString("message")).isEqualTo(message);
    }
    if (about != null) {
      assertThat(status.getString("details.name")).isEqualTo(name);
      assertThat(status.getString("details.kind")).isEqualTo(about.resource().gvr().resource());
      String group = about.resource().gvr().group();
      assertThat(status.getString("details.group")).isEqualTo(group.isEmpty() ? null : group);
    }
  }
}
