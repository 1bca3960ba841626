package dev.keelson.blackbox;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.gson.Gson;
import com.google.gson.GsonBuilder;
import com.google.gson.ToNumberPolicy;
import com.google.gson.reflect.TypeToken;
import dev.keelson.schema.ResourceDefinition;
import dev.keelson.testing.Eventually;
import dev.keelson.testing.KeelsonProcess;
import dev.keelson.testing.MatrixTypes;
import dev.keelson.testing.RestClient;
import dev.keelson.testing.SmallestObjects;
import io.restassured.response.Response;
import io.restassured.specification.RequestSpecification;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Stream;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Every write on every stored resource in every version, with each type of body: what it answers
 * and what it leaves behind. The rows are in {@code matrix/writes.csv}.
 */
@Timeout(120)
abstract class WriteMatrixSuite {

  private static final Path ROWS = Path.of("src", "test", "resources", "matrix", "writes.csv");
  private static final String NAMESPACE = "matrix";
  private static final Gson GSON =
      new GsonBuilder().setObjectToNumberStrategy(ToNumberPolicy.LONG_OR_DOUBLE).create();

  /** The servers that have the namespace. */
  private static final Set<URI> PREPARED = ConcurrentHashMap.newKeySet();

  private static final AtomicInteger COUNT = new AtomicInteger();

  private final RestClient client;

  WriteMatrixSuite(KeelsonProcess server) {
    client = RestClient.administrator(server);
    MatrixTypes.install(client);
    if (PREPARED.add(client.address())) {
      assertThat(
              client
                  .post("/api/v1/namespaces", Map.of("metadata", Map.of("name", NAMESPACE)))
                  .statusCode())
          .isEqualTo(201);
    }
  }

  /** One line of the table. */
  record Row(
      String when,
      boolean exists,
      String method,
      String target,
      String type,
      String body,
      int code,
      String reason,
      String then) {

    static Row of(String line) {
      String[] cells = line.split(", ", -1);
      return new Row(
          cells[0],
          cells[1].equals("exists"),
          cells[2],
          cells[3],
          cells[4],
          cells[5],
          Integer.parseInt(cells[6]),
          cells[7],
          cells[8]);
    }

    boolean fits(ResourceDefinition resource) {
      return switch (when) {
        case "always" -> true;
        case "strategic" -> resource.behaviour().strategicMerge();
        case "nostrategic" -> !resource.behaviour().strategicMerge();
        case "builtin" -> resource.custom() == null;
        case "custom" -> resource.custom() != null;
        case "namespaced" -> resource.namespaced();
        case "cluster" -> !resource.namespaced();
        case "status" -> resource.subresources().containsKey("status");
        case "collection" -> resource.verbs().contains(dev.keelson.api.Verb.DELETE_COLLECTION);
        case "update" -> resource.behaviour().createOnUpdate();
        case "noupdate" -> !resource.behaviour().createOnUpdate();
        default -> throw new AssertionError("what is " + when + "?");
      };
    }

    @Override
    public String toString() {
      return method + " " + target + " " + type + " " + body + (exists ? "" : ", absent");
    }
  }

  static Stream<Arguments> cases() {
    List<Row> rows = rows();
    List<Arguments> cases = new ArrayList<>();
    List<ResourceDefinition> resources = new ArrayList<>(SmallestObjects.undisturbed());
    resources.addAll(MatrixTypes.resources());
    for (ResourceDefinition resource : resources) {
      for (Row row : rows) {
        if (row.fits(resource)) {
          cases.add(Arguments.of(new RestSuite.Case(resource), row));
        }
      }
    }
    assertThat(cases).hasSizeGreaterThan(1500);
    return cases.stream();
  }

  private static List<Row> rows() {
    try (Stream<String> lines = Files.lines(ROWS)) {
      return lines.filter(line -> !line.startsWith("#") && !line.isBlank()).map(Row::of).toList();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  @ParameterizedTest
  @MethodSource("cases")
  void writeAnswersAndLeavesBehindWhatTheTableSays(RestSuite.Case each, Row row) {
    int number = COUNT.incrementAndGet();
    // what has no namespace is told apart by one that is its own
    String namespace = each.resource().namespaced() ? NAMESPACE : NAMESPACE + "-" + number;
    String collection = each.collection(namespace);
    Map<String, Object> sent =
        RestSuite.labelled(
            SmallestObjects.of(
                each.resource(), namespace, NAMESPACE + "-" + number, number % 250 + 1),
            "run",
            NAMESPACE + "-" + number);
    String path = collection + "/" + RestSuite.name(sent);
    Map<String, Object> current = sent;
    if (row.exists) {
      Response created = client.post(collection, sent);
      assertThat(created.statusCode()).as(created.asString()).isEqualTo(201);
      current = map(created);
    }

    Response answer = send(row, collection, path, body(row.body, sent, current));

    assertThat(answer.statusCode()).as(answer.asString()).isEqualTo(row.code);
    if (row.code >= 400) {
      Map<String, Object> status = map(answer);
      assertThat(status).containsEntry("kind", "Status").containsEntry("code", (long) row.code);
      assertThat(status.get("reason")).isEqualTo(row.reason.equals("-") ? null : row.reason);
    }
    if (row.then.equals("404") && RestSuite.isProtected(each)) {
      Eventually.assertEventually(() -> checkAfterwards(row, path, Map.of()));
    } else {
      checkAfterwards(row, path, current);
    }
    if (!each.resource().kind().equals("Namespace")) {
      assertThat(client.delete(path).statusCode()).isIn(200, 404);
    }
  }

  private Response send(Row row, String collection, String path, String body) {
    int question = row.target.indexOf('?');
    String target = question < 0 ? row.target : row.target.substring(0, question);
    String query = question < 0 ? "" : row.target.substring(question);
    String url =
        switch (target) {
          case "collection" -> collection;
          case "object" -> path;
          case "status" -> path + "/status";
          default -> throw new AssertionError("where is " + target + "?");
        };
    RequestSpecification request = client.request().urlEncodingEnabled(false);
    if (!row.type.equals("-")) {
      request =
          request
              .contentType(row.type)
              .body(body.getBytes(java.nio.charset.StandardCharsets.UTF_8));
    }
    return request.request(row.method, url + query);
  }

  private void checkAfterwards(Row row, String path, Map<String, Object> before) {
    Response after = client.get(path);
    switch (row.then) {
      case "as-before" -> {
        assertThat(after.statusCode()).isEqualTo(200);
        assertThat(map(after)).isEqualTo(before);
      }
      case "changed" -> {
        assertThat(after.statusCode()).isEqualTo(200);
        Map<?, ?> metadata = RestSuite.metadata(map(after));
        assertThat((Map<?, ?>) metadata.get("labels"))
            .extracting(labels -> labels.get("matrix"))
            .isEqualTo("yes");
        assertThat(metadata.get("uid")).isEqualTo(RestSuite.metadata(before).get("uid"));
        assertThat(version(metadata)).isGreaterThan(version(RestSuite.metadata(before)));
      }
      default -> assertThat(after.statusCode()).isEqualTo(Integer.parseInt(row.then));
    }
  }

  /** The body that a row names. */
  private static String body(String name, Map<String, Object> sent, Map<String, Object> current) {
    return switch (name) {
      case "-" -> "";
      case "broken" -> "{";
      case "array" -> "[1]";
      case "empty-array" -> "[]";
      case "nothing" -> "{}";
      case "object" -> json(sent);
      case "unchanged" -> json(current);
      case "labelled" -> json(RestSuite.labelled(current, "matrix", "yes"));
      case "bad-label" -> json(RestSuite.labelled(current, "matrix", "no spaces allowed"));
      case "other-kind" -> json(withField(sent, "kind", "Another"));
      case "other-name" -> json(withMetadata(current, "name", "another"));
      case "other-namespace" -> json(withMetadata(sent, "namespace", "another"));
      case "with-version" -> json(withMetadata(sent, "resourceVersion", "12"));
      case "stale" -> json(withMetadata(current, "resourceVersion", "1"));
      case "wrong-uid" -> json(withMetadata(current, "uid", "another"));
      case "applied" -> json(RestSuite.labelled(sent, "matrix", "yes"));
      case "bad-label-applied" -> json(RestSuite.labelled(sent, "matrix", "no spaces allowed"));
      case "stale-applied" -> json(withMetadata(sent, "resourceVersion", "1"));
      case "merge" -> "{\"metadata\":{\"labels\":{\"matrix\":\"yes\"}}}";
      case "bad-label-merge" -> "{\"metadata\":{\"labels\":{\"matrix\":\"no spaces allowed\"}}}";
      case "stale-merge" ->
          "{\"metadata\":{\"resourceVersion\":\"1\",\"labels\":{\"matrix\":\"yes\"}}}";
      case "operations" ->
          "[{\"op\":\"add\",\"path\":\"/metadata/labels/matrix\",\"value\":\"yes\"}]";
      case "failing-test" ->
          "[{\"op\":\"test\",\"path\":\"/metadata/labels/run\",\"value\":\"elsewhere\"}]";
      case "wrong-uid-options" -> "{\"preconditions\":{\"uid\":\"another\"}}";
      case "stale-options" -> "{\"preconditions\":{\"resourceVersion\":\"1\"}}";
      case "dry-options" -> "{\"dryRun\":[\"All\"]}";
      default -> throw new AssertionError("what is the body " + name + "?");
    };
  }

  private static Map<String, Object> withField(
      Map<String, Object> object, String field, Object value) {
    Map<String, Object> changed = new LinkedHashMap<>(object);
    changed.put(field, value);
    return changed;
  }

  private static Map<String, Object> withMetadata(
      Map<String, Object> object, String field, String value) {
    Map<String, Object> metadata = new LinkedHashMap<>();
    RestSuite.metadata(object).forEach((key, entry) -> metadata.put(String.valueOf(key), entry));
    metadata.put(field, value);
    return withField(object, "metadata", metadata);
  }

  private static long version(Map<?, ?> metadata) {
    return Long.parseLong(String.valueOf(metadata.get("resourceVersion")));
  }

  /** The body of an answer. REST Assured's own paths compile a script for each use. */
  private static Map<String, Object> map(Response answer) {
    return GSON.fromJson(answer.asString(), new TypeToken<Map<String, Object>>() {}.getType());
  }

  private static String json(Map<String, Object> object) {
    return GSON.toJson(object);
  }
}
