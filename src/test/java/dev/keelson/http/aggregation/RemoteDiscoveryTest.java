package dev.keelson.http.aggregation;

import static dev.keelson.http.aggregation.RemoteServer.SHOP;
import static dev.keelson.http.aggregation.RemoteServer.insecure;
import static dev.keelson.http.aggregation.RemoteServer.service;
import static dev.keelson.testing.Eventually.assertEventually;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.keelson.api.GroupVersion;
import dev.keelson.object.Node.MapNode;
import dev.keelson.schema.codec.ObjectWriter;
import io.vertx.core.buffer.Buffer;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.function.Consumer;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** The discovery documents of servers that answer well, badly, or not at all. */
@Timeout(60)
class RemoteDiscoveryTest {

  private static final GroupVersion SHOP_V2 = new GroupVersion("shop.example.com", "v2");
  private static final String PLAIN_PATH = "/apis/shop.example.com/v1";

  private static final String AGGREGATED =
      """
      {'kind':'APIGroupDiscoveryList','apiVersion':'apidiscovery.k8s.io/v2','items':[
        {'metadata':{'name':'apps'},'versions':[{'version':'v1','resources':[
          {'resource':'deployments'}]}]},
        {'metadata':{'name':'shop.example.com'},'versions':[
          {'version':'v1','freshness':'Stale','other':1,'resources':[
            {'resource':'widgets','responseKind':{'group':'','version':'','kind':'Widget'},
             'scope':'Namespaced','singularResource':'widget','verbs':['get',7,'list'],
             'shortNames':['w'],'categories':'all','unknown':{},
             'subresources':[{'subresource':'status','verbs':['get'],
               'responseKind':{'group':'','version':'','kind':'Widget'},
               'acceptedTypes':[{'group':'g','version':'v','kind':'K','other':1}]}]}]}]}]}
      """;

  private static final String READ =
      "'resources':[{'resource':'widgets',"
          + "'responseKind':{'group':'','version':'','kind':'Widget'},"
          + "'scope':'Namespaced','singularResource':'widget','verbs':['get','list'],"
          + "'shortNames':['w'],"
          + "'subresources':[{'subresource':'status',"
          + "'responseKind':{'group':'','version':'','kind':'Widget'},"
          + "'acceptedTypes':[{'group':'g','version':'v','kind':'K'}],'verbs':['get']}]}]";

  private static final String PLAIN =
      """
      {'kind':'APIResourceList','resources':[
        {'name':'widgets','singularName':'widget','namespaced':true,'kind':'Widget',
         'verbs':['get','list'],'shortNames':['w']},
        {'name':'widgets/status','singularName':'','namespaced':true,'kind':'Widget',
         'verbs':['get']},
        {'name':'orphans/status','kind':'Orphan','verbs':['get']},
        {'name':'widgets/scale'},
        {'name':'orphans/scale','namespaced':true}]}
      """;

  private static final String READ_PLAIN =
      "'resources':[{'resource':'widgets',"
          + "'responseKind':{'group':'','version':'','kind':'Widget'},"
          + "'scope':'Namespaced','singularResource':'widget','verbs':['get','list'],"
          + "'shortNames':['w'],'subresources':[{'subresource':'status',"
          + "'responseKind':{'group':'','version':'','kind':'Widget'},'verbs':['get']},"
          + "{'subresource':'scale',"
          + "'responseKind':{'group':'','version':'','kind':''},'verbs':[]}]},"
          + "{'resource':'orphans','responseKind':{'group':'','version':'','kind':''},"
          + "'scope':'Cluster','singularResource':'','verbs':[],"
          + "'subresources':[{'subresource':'status',"
          + "'responseKind':{'group':'','version':'','kind':'Orphan'},'verbs':['get']},"
          + "{'subresource':'scale',"
          + "'responseKind':{'group':'','version':'','kind':''},'verbs':[]}]}]";

  private final RemoteServer server = new RemoteServer();
  private final RemoteDiscovery discovery = new RemoteDiscovery(server.services, server.fetch);

  @AfterEach
  void stop() {
    server.close();
  }

  private void registerShop(boolean available) throws IOException {
    server.register(service(SHOP, server.verified(), available));
  }

  private String read(GroupVersion version) {
    return discovery.discovery(version).map(RemoteDiscoveryTest::json).orElse("none");
  }

  private static String json(MapNode tree) {
    return new String(ObjectWriter.json(tree), StandardCharsets.UTF_8).replace('"', '\'');
  }

  @Test
  void aggregatedDocument_isReadWithItsKnownFields() throws Exception {
    server.serveAggregated("v2", "", AGGREGATED);
    registerShop(true);

    discovery.refresh();

    assertThat(read(SHOP)).isEqualTo("{'version':'v1'," + READ + ",'freshness':'Current'}");
    assertThat(read(new GroupVersion("apps", "v1"))).isEqualTo("none");
  }

  @Test
  void groupVersion_thatTheServerDoesNotList_hasNoResources() throws Exception {
    server.serveAggregated("v2", "", AGGREGATED);
    server.register(service(SHOP_V2, server.verified(), true));

    discovery.refresh();

    assertThat(read(SHOP_V2)).isEqualTo("{'version':'v2','freshness':'Current'}");
  }

  @Test
  void beforeItIsRead_aGroupVersionIsStale() throws Exception {
    registerShop(true);

    assertThat(read(SHOP)).isEqualTo("{'version':'v1','freshness':'Stale'}");
  }

  @Test
  void unavailableServer_isNotAsked() throws Exception {
    server.serveAggregated("v2", "", AGGREGATED);
    registerShop(true);
    discovery.refresh();
    long before = discovery.generation();
    server.asked.clear();
    registerShop(false);

    discovery.refresh();

    assertThat(server.asked).isEmpty();
    assertThat(read(SHOP)).isEqualTo("{'version':'v1'," + READ + ",'freshness':'Stale'}");
    assertThat(discovery.generation()).isGreaterThan(before);

    registerShop(true);
    discovery.refresh();
    assertThat(read(SHOP)).endsWith("'freshness':'Current'}");
  }

  @Test
  void documentWithTheSameTag_isNotReadAgain() throws Exception {
    server.serveAggregated("v2", "\"t\"", AGGREGATED);
    server.register(
        service(SHOP, server.verified(), true), service(SHOP_V2, server.verified(), true));
    discovery.refresh();
    long generation = discovery.generation();
    assertThat(server.asked).containsExactly("/apis");

    discovery.refresh();

    assertThat(server.asked).hasSize(2);
    assertThat(discovery.generation()).isEqualTo(generation);
    assertThat(read(SHOP)).contains(READ).endsWith("'freshness':'Current'}");
  }

  /** What a server without aggregated discovery answers to a request for it. */
  static Stream<Fault> oldServers() {
    return Stream.of(
        new Fault(
            "plain", server -> server.serve("/apis", "", "{'kind':'APIGroupList','groups':[]}")),
        new Fault("no type", server -> server.serve("/apis", AGGREGATED)),
        new Fault("not acceptable", server -> server.fail("/apis", 406)),
        new Fault("not found", server -> server.fail("/apis", 404)),
        new Fault("empty", server -> server.serve("/apis", "", "")),
        new Fault("unknown version", server -> server.serveAggregated("v1alpha1", "", "")));
  }

  @ParameterizedTest
  @MethodSource("oldServers")
  void serverWithoutAggregatedDiscovery_isReadByGroupVersion(Fault old) throws Exception {
    old.begin.accept(server);
    server.serve(PLAIN_PATH, PLAIN);
    registerShop(true);

    discovery.refresh();

    assertThat(read(SHOP)).isEqualTo("{'version':'v1'," + READ_PLAIN + ",'freshness':'Current'}");
  }

  @Test
  void v2beta1_isReadAsV2() throws Exception {
    server.serveAggregated("v2beta1", "", AGGREGATED);
    registerShop(true);

    discovery.refresh();

    assertThat(read(SHOP)).isEqualTo("{'version':'v1'," + READ + ",'freshness':'Current'}");
  }

  /** How a server breaks. */
  record Fault(String name, Consumer<RemoteServer> begin) {
    @Override
    public String toString() {
      return name;
    }
  }

  static Stream<Fault> faults() {
    return Stream.of(
        new Fault(
            "503",
            server -> {
              server.fail("/apis", 503);
              server.serve(PLAIN_PATH, PLAIN);
            }),
        new Fault("no JSON", server -> server.serveAggregated("v2", "", "{'kind':")),
        new Fault("deep", server -> server.serveAggregated("v2", "", "[".repeat(100_000))),
        new Fault(
            "huge",
            server ->
                server.on(
                    "/apis", request -> request.response().end(Buffer.buffer(new byte[17 << 20])))),
        new Fault(
            "broken off",
            server ->
                server.on(
                    "/apis",
                    request ->
                        RemoteServer.beginBody(request)
                            .onComplete(written -> request.connection().close()))));
  }

  @ParameterizedTest
  @MethodSource("faults")
  void serverThatFails_keepsItsResourcesAsStale(Fault fault) throws Exception {
    server.serveAggregated("v2", "", AGGREGATED);
    registerShop(true);
    discovery.refresh();
    fault.begin.accept(server);

    assertThatThrownBy(discovery::refresh)
        .isInstanceOf(IOException.class)
        .hasMessage("cannot read the discovery documents of shop.default.svc");

    assertThat(read(SHOP)).isEqualTo("{'version':'v1'," + READ + ",'freshness':'Stale'}");
    server.register();
    discovery.refresh();
    registerShop(true);
    assertThat(read(SHOP)).isEqualTo("{'version':'v1','freshness':'Stale'}");
  }

  @Test
  void serverThatHangs_delaysNoOther() throws Exception {
    server.serveAggregated("v2", "", AGGREGATED);
    server.listen("hanging", socket -> {});
    GroupVersion hanging = new GroupVersion("a.example.com", "v1");
    server.register(
        service(SHOP, insecure("shop"), true), service(hanging, insecure("hanging"), true));
    Thread refreshing =
        Thread.ofVirtual()
            .start(
                () -> {
                  try {
                    discovery.refresh();
                  } catch (IOException | InterruptedException e) {
                    Thread.currentThread().interrupt();
                  }
                });

    assertEventually(() -> assertThat(read(SHOP)).endsWith("'freshness':'Current'}"));
    assertThat(refreshing.isAlive()).isTrue();
    assertThat(read(hanging)).endsWith("'freshness':'Stale'}");
    refreshing.interrupt();
    refreshing.join();
  }
}
