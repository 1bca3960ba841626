package dev.keelson.server.embedded;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.keelson.api.ApiException;
import dev.keelson.http.ApiRequest;
import dev.keelson.http.ApiResponse;
import dev.keelson.http.Exchange;
import dev.keelson.http.Query;
import dev.keelson.http.RequestHandler;
import dev.keelson.request.RequestContext;
import dev.keelson.request.RequestInfoResolver;
import dev.keelson.request.UserInfo;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

class FaultsTest {

  private static final String WIDGET = "/apis/example.com/v1/namespaces/ns/widgets/w";

  private final AtomicInteger passed = new AtomicInteger();
  private final Faults faults = new Faults();
  private final RequestHandler handler =
      faults.around(
          exchange -> {
            passed.incrementAndGet();
            return ApiResponse.of(200, "application/json", new byte[0]);
          });

  private void request(String method, String path, String agent) {
    Query query = new Query(Map.of());
    ApiRequest request =
        new ApiRequest(
            method,
            path,
            query,
            Map.of("user-agent", List.of(agent)),
            new byte[0],
            List.of(),
            "127.0.0.1");
    ApiResponse unused =
        handler.answer(
            new Exchange(
                request,
                RequestInfoResolver.parse(method, path, query.firsts()),
                new RequestContext(new UserInfo("u", "", List.of(), Map.of()), "id")));
  }

  @Test
  void fault_refusesAsManyAsAsked() {
    long id =
        faults.add(
            Map.of(
                "verbs",
                List.of("update"),
                "resource",
                "widgets",
                "code",
                409,
                "reason",
                "Conflict",
                "times",
                1));

    assertThatThrownBy(() -> request("PUT", WIDGET, "test"))
        .isInstanceOfSatisfying(
            ApiException.class,
            refused ->
                assertThat(refused.text())
                    .isEqualTo(
                        "Operation cannot be fulfilled on widgets.example.com \"w\": the object has"
                            + " been modified; please apply your changes to the latest version and"
                            + " try again"));
    request("PUT", WIDGET, "test");

    assertThat(passed).hasValue(1);
    assertThat(faults.hits(id)).isEqualTo(1);
  }

  @Test
  void fault_matchesResourcesAsRbacDoes() {
    faults.add(Map.of("resource", "widgets/status", "code", 500, "reason", "InternalError"));

    request("PUT", WIDGET, "test");
    assertThatThrownBy(() -> request("PUT", WIDGET + "/status", "test"))
        .isInstanceOf(ApiException.class)
        .hasMessage("a fault of the test");
    faults.add(Map.of("resource", "widgets/*", "user", "u", "code", 503, "reason", ""));
    assertThatThrownBy(() -> request("GET", WIDGET, "test"))
        .isInstanceOfSatisfying(
            ApiException.class, refused -> assertThat(refused.code()).isEqualTo(503));
    request("GET", "/apis/example.com/v1/namespaces/ns/gadgets/w", "test");
  }

  @Test
  void partsOfTheServer_andRemovedFaults_areNotAffected() {
    long id = faults.add(Map.of("code", 500, "reason", "InternalError"));

    request("GET", WIDGET, "keelson/junit");
    assertThat(faults.remove(id)).isZero();
    request("GET", WIDGET, "test");

    assertThat(passed).hasValue(2);
  }
}
