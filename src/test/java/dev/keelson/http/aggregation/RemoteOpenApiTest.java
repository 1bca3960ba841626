package dev.keelson.http.aggregation;

import static dev.keelson.http.aggregation.RemoteServer.SHOP;
import static dev.keelson.http.aggregation.RemoteServer.insecure;
import static dev.keelson.http.aggregation.RemoteServer.service;
import static dev.keelson.testing.Eventually.assertEventually;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.keelson.aggregation.ApiService;
import dev.keelson.api.GroupVersion;
import dev.keelson.schema.GroupPriority;
import dev.keelson.schema.openapi.RemoteDocuments.Snapshot;
import dev.keelson.schema.openapi.RemoteDocuments.Swagger;
import io.vertx.core.buffer.Buffer;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.BiConsumer;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** The OpenAPI documents of servers that answer well, badly, or not at all. */
@Timeout(60)
class RemoteOpenApiTest {

  private static final GroupVersion SHOP_V2 = new GroupVersion("shop.example.com", "v2");
  private static final String V1 = "apis/shop.example.com/v1";

  private static final String INDEX =
      """
      {'paths':{
        'api/v1':{'serverRelativeURL':'/openapi/v3/api/v1?hash=C0'},
        'apis/apps/v1':{'serverRelativeURL':'/openapi/v3/apis/apps/v1?hash=C1'},
        'apis/shop.example.com':{'serverRelativeURL':'/openapi/v3/apis/shop.example.com?hash=C2'},
        'apis/shop.example.com/v1':
          {'serverRelativeURL':'/openapi/v3/apis/shop.example.com/v1?hash=C3'},
        'apis/shop.example.com/v2':
          {'serverRelativeURL':'https://evil.example.com/?hash=C4&x=y'}}}
      """;

  private static final String SWAGGER =
      """
      {'swagger':'2.0','info':{'title':'theirs'},'paths':{
        '/apis/apps/v1/deployments':{'get':{'schema':{'$ref':'#/definitions/Deployment'}}},
        '/apis/shop.example.com/v1/widgets':{'get':{'schema':{'$ref':'#/definitions/Widget'}}},
        '/apis/shop.example.com/v2/widgets':{'get':{'schema':{'$ref':'#/definitions/Widget2'}}}},
       'definitions':{'Deployment':{},'Widget':{},'Widget2':{}}}
      """;

  private final RemoteServer server = new RemoteServer();
  private final RemoteOpenApi documents = new RemoteOpenApi(server.services, server.fetch);

  @AfterEach
  void stop() {
    server.close();
  }

  private void serveBoth() {
    server.serve("/openapi/v3", "\"i1\"", INDEX);
    server.serve("/openapi/v2", "\"s1\"", SWAGGER);
  }

  private void registerShop(boolean available) throws IOException {
    server.register(service(SHOP, server.verified(), available));
  }

  private List<String> swaggers() {
    return documents.snapshot().v2().stream()
        .map(document -> new String(document.json(), StandardCharsets.UTF_8))
        .toList();
  }

  @Test
  void withoutRemoteServers_nothingIsKnown() throws Exception {
    documents.refresh();

    assertThat(documents.snapshot().index()).isEmpty();
    assertThat(documents.snapshot().v2()).isEmpty();
    assertThat(documents.owner("/openapi/v3/" + V1)).isNull();
  }

  @Test
  void refresh_takesWhatTheRegisteredGroupVersionsHave() throws Exception {
    serveBoth();
    registerShop(true);

    documents.refresh();

    assertThat(documents.snapshot().index())
        .containsOnlyKeys("apis/shop.example.com", V1)
        .containsEntry(V1, "/openapi/v3/" + V1 + "?hash=C3");
    assertThat(swaggers())
        .singleElement()
        .asString()
        .contains("/apis/shop.example.com/v1/widgets", "\"Widget\"")
        .doesNotContain("deployments", "v2", "Widget2", "Deployment");
    assertThat(documents.owner("/openapi/v3/" + V1))
        .extracting(ApiService::groupVersion)
        .isEqualTo(SHOP);
    assertThat(documents.owner("/openapi/v3/" + V1 + "/")).isNotNull();
    assertThat(Stream.of("/openapi/v3/apis/apps/v1", "/openapi/v3/", "/openapi/v3", "/openapi/v2"))
        .allSatisfy(path -> assertThat(documents.owner(path)).isNull());
  }

  @Test
  void urls_areThoseOfThisServer() throws Exception {
    serveBoth();
    server.register(service(SHOP_V2, server.verified(), true));

    documents.refresh();

    assertThat(documents.snapshot().index())
        .containsEntry("apis/shop.example.com/v2", "/openapi/v3/apis/shop.example.com/v2?hash=C4");
  }

  @Test
  void hashes_ofOtherLetters_areLeftOut() throws Exception {
    server.serve(
        "/openapi/v3",
        "{'paths':{'" + V1 + "':{'serverRelativeURL':'/openapi/v3/x?hash=%0d%0aSet-Cookie'}}}");
    registerShop(true);

    documents.refresh();

    assertThat(documents.snapshot().index()).containsEntry(V1, "/openapi/v3/" + V1);
  }

  @Test
  void documents_areReadOncePerServer_andNotAgainWhileTheyAreTheSame() throws Exception {
    serveBoth();
    server.register(
        service(SHOP, server.verified(), true), service(SHOP_V2, server.verified(), true));
    documents.refresh();
    Snapshot first = documents.snapshot();
    assertThat(first.v2()).hasSize(2);
    assertThat(server.asked).containsExactly("/openapi/v3", "/openapi/v2");

    documents.refresh();

    assertThat(documents.snapshot()).isSameAs(first);
    assertThat(server.asked).hasSize(4);
  }

  @Test
  void changedDocuments_replaceTheOldOnes() throws Exception {
    serveBoth();
    registerShop(true);
    documents.refresh();
    Swagger before = documents.snapshot().v2().getFirst();
    server.serve("/openapi/v3", "\"i2\"", INDEX.replace("C3", "D3"));

    documents.refresh();

    assertThat(documents.snapshot().index()).containsEntry(V1, "/openapi/v3/" + V1 + "?hash=D3");
    assertThat(documents.snapshot().v2().getFirst()).isSameAs(before);
    server.serve("/openapi/v2", "\"s2\"", SWAGGER.replace("'Widget':{}", "'Widget':{'a':1}"));

    documents.refresh();

    assertThat(swaggers()).singleElement().asString().contains("\"a\":1");
    assertThat(documents.snapshot().v2().getFirst().hash()).isNotEqualTo(before.hash());
  }

  @Test
  void newGroupVersions_ofAKnownServer_areRead() throws Exception {
    serveBoth();
    registerShop(true);
    documents.refresh();

    server.register(
        service(SHOP, server.verified(), true), service(SHOP_V2, server.verified(), true));
    documents.refresh();

    assertThat(documents.snapshot().v2()).hasSize(2);
    assertThat(documents.snapshot().index()).containsKey("apis/shop.example.com/v2");
  }

  static Stream<Fault> faults() {
    return Stream.of(
        new Fault("500", (server, path) -> server.fail(path, 500)),
        new Fault("no JSON", (server, path) -> server.serve(path, "{'paths':")),
        new Fault("a list", (server, path) -> server.serve(path, "[1,2]")),
        new Fault("empty", (server, path) -> server.serve(path, "")),
        new Fault("a redirect", (server, path) -> server.fail(path, 302)),
        new Fault("306", (server, path) -> server.fail(path, 306)),
        new Fault("deep", (server, path) -> server.serve(path, "[".repeat(100_000))),
        new Fault(
            "broken off",
            (server, path) ->
                server.on(
                    path,
                    request ->
                        RemoteServer.beginBody(request)
                            .onComplete(written -> request.connection().close()))),
        new Fault(
            "huge",
            (server, path) ->
                server.on(
                    path, request -> request.response().end(Buffer.buffer(new byte[17 << 20])))));
  }

  /** How a server breaks. */
  record Fault(String name, BiConsumer<RemoteServer, String> begin) {
    @Override
    public String toString() {
      return name;
    }
  }

  @ParameterizedTest
  @MethodSource("faults")
  void brokenServer_keepsItsDocuments_untilItsApiServiceGoes(Fault fault) throws Exception {
    serveBoth();
    registerShop(true);
    documents.refresh();
    Snapshot before = documents.snapshot();
    fault.begin.accept(server, "/openapi/v3");
    fault.begin.accept(server, "/openapi/v2");

    assertThatThrownBy(documents::refresh)
        .isInstanceOf(IOException.class)
        .hasMessage("cannot read the OpenAPI documents of shop.default.svc");
    assertThat(documents.snapshot()).isSameAs(before);

    server.register();
    documents.refresh();
    assertThat(documents.snapshot().index()).isEmpty();
    assertThat(documents.snapshot().v2()).isEmpty();
  }

  @Test
  void oneBrokenDocument_doesNotKeepTheOtherOut() throws Exception {
    server.serve("/openapi/v3", INDEX);
    server.fail("/openapi/v2", 503);
    registerShop(true);

    assertThatThrownBy(documents::refresh).isInstanceOf(IOException.class);

    assertThat(documents.snapshot().index()).containsKey(V1);
    assertThat(documents.snapshot().v2()).isEmpty();
  }

  @Test
  void serverWithoutDocuments_isLeftOut() throws Exception {
    serveBoth();
    registerShop(true);
    documents.refresh();
    server.fail("/openapi/v2", 404);
    documents.refresh();
    assertThat(documents.snapshot().v2()).isEmpty();
    assertThat(documents.snapshot().index()).isNotEmpty();

    server.fail("/openapi/v3", 404);
    documents.refresh();

    assertThat(documents.snapshot().index()).isEmpty();
  }

  @Test
  void unavailableServer_isNotAsked_andKeepsItsDocuments() throws Exception {
    serveBoth();
    registerShop(true);
    documents.refresh();
    server.asked.clear();
    registerShop(false);

    documents.refresh();

    assertThat(server.asked).isEmpty();
    assertThat(documents.snapshot().index()).containsKey(V1);
  }

  @Test
  void serverThatHangs_delaysNoOther() throws Exception {
    serveBoth();
    server.listen("hanging", socket -> {});
    server.register(
        service(SHOP, insecure("shop"), true),
        service(new GroupVersion("a.example.com", "v1"), insecure("hanging"), true));
    AtomicReference<Throwable> end = new AtomicReference<>();
    Thread refreshing =
        Thread.ofVirtual()
            .start(
                () -> {
                  try {
                    documents.refresh();
                  } catch (IOException | InterruptedException e) {
                    end.set(e);
                  }
                });

    assertEventually(() -> assertThat(server.asked).containsExactly("/openapi/v3", "/openapi/v2"));
    refreshing.interrupt();
    refreshing.join();
    assertThat(end.get()).isInstanceOf(InterruptedException.class);
  }

  @Test
  void groupsOfHigherPriority_comeFirst() throws Exception {
    GroupVersion low = new GroupVersion("a.example.com", "v1");
    GroupVersion high = new GroupVersion("z.example.com", "v1");
    serveBoth();
    server.register(
        service(low, server.verified(), true, new GroupPriority(10, 10)),
        service(high, server.verified(), true, new GroupPriority(20, 10)),
        service(SHOP_V2, server.verified(), true, new GroupPriority(15, 10)));

    documents.refresh();

    assertThat(documents.snapshot().v2())
        .extracting(Swagger::version)
        .containsExactly(high, SHOP_V2, low);
  }
}
