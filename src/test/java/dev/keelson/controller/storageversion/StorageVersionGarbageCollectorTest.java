package dev.keelson.controller.storageversion;

import static org.assertj.core.api.Assertions.assertThat;

import dev.keelson.client.informer.Informer;
import dev.keelson.client.rest.ApiClient;
import dev.keelson.client.rest.ApiTransport;
import dev.keelson.controller.ControllerLoop;
import dev.keelson.testing.Eventually;
import dev.keelson.testing.ManualClock;
import dev.keelson.testing.ScriptedServer;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(60)
class StorageVersionGarbageCollectorTest {

  private static final String VERSIONS =
      "/apis/internal.apiserver.k8s.io/v1alpha1/storageversions/";
  private static final String LEASES =
      "/apis/coordination.k8s.io/v1/namespaces/kube-system/leases/";

  /** The objects of a watch are complete. */
  private static final String COMPLETE =
      "{'type':'BOOKMARK','object':{'metadata':{'resourceVersion':'9',"
          + "'annotations':{'k8s.io/initial-events-end':'true'}}}}";

  private final Watched server = new Watched();
  private final ApiClient client = new ApiClient(server);
  private final Informer<String> servers =
      Informer.of(client, StorageVersionGarbageCollector.SERVERS);
  private final Informer<StorageVersionGarbageCollector.Stated> versions =
      Informer.of(client, StorageVersionGarbageCollector.VERSIONS);
  private final StorageVersionGarbageCollector collector =
      new StorageVersionGarbageCollector(client, servers, versions, new ManualClock());
  private final List<ControllerLoop> followers = new ArrayList<>();

  /** Starts with the Leases and StorageVersions that have been noted. */
  private void start() throws InterruptedException {
    server.leases.add(COMPLETE);
    server.versions.add(COMPLETE);
    for (Informer<?> informer : List.of(servers, versions)) {
      ControllerLoop follower =
          ControllerLoop.every("informer", Duration.ofMillis(1), informer::follow);
      follower.start();
      followers.add(follower);
    }
    collector.start();
  }

  @AfterEach
  void stop() {
    collector.close();
    followers.forEach(ControllerLoop::close);
  }

  /** A server has a Lease. */
  private void lease(String name) {
    String lease = lease(name, "kube-apiserver");
    server.script.answer("GET " + LEASES + name, lease);
    server.leases.add(event("ADDED", lease));
  }

  private static String lease(String name, String component) {
    return ("{'metadata':{'name':'%s','namespace':'kube-system','resourceVersion':'1',"
            + "'labels':{'apiserver.kubernetes.io/identity':'%s'}}}")
        .formatted(name, component);
  }

  /** A StorageVersion has statements of servers. */
  private void version(String name, String... stating) {
    List<String> statements = new ArrayList<>();
    for (String each : stating) {
      statements.add(
          "{'apiServerID':'%s','encodingVersion':'v1','decodableVersions':['v1']}".formatted(each));
    }
    String version =
        ("{'apiVersion':'internal.apiserver.k8s.io/v1alpha1','kind':'StorageVersion','metadata':"
                + "{'name':'%s','uid':'uid-of-%s','resourceVersion':'5'},'spec':{},"
                + "'status':{'storageVersions':[%s]}}")
            .formatted(name, name, String.join(",", statements));
    server.script.answer("GET " + VERSIONS + name, version);
    server.script.answer("PUT " + VERSIONS + name + "/status", version);
    server.script.answer("DELETE " + VERSIONS + name, "{'kind':'Status','status':'Success'}");
    server.versions.add(event("ADDED", version));
  }

  private static String event(String type, String object) {
    return "{'type':'%s','object':%s}".formatted(type, object);
  }

  private void expect(String request) {
    Eventually.assertEventually(() -> assertThat(server.script.requests()).contains(request));
  }

  private List<String> writes() {
    return server.script.requests().stream().filter(each -> !each.startsWith("GET")).toList();
  }

  @Test
  void statementOfAServerWithoutALease_isRemoved() throws Exception {
    lease("here");
    version("core.pods", "here", "gone");
    version("core.nodes", "here");
    start();

    expect("PUT " + VERSIONS + "core.pods/status");

    assertThat(server.script.bodies())
        .singleElement()
        .asString()
        .contains("\"apiServerID\":\"here\"", "\"commonEncodingVersion\":\"v1\"")
        .contains("\"resourceVersion\":\"5\"")
        .doesNotContain("gone");
    assertThat(writes()).containsExactly("PUT " + VERSIONS + "core.pods/status");
    assertThat(server.script.requests())
        .as("all its servers are there")
        .doesNotContain("GET " + VERSIONS + "core.nodes");
  }

  @Test
  void versionWithoutAnyStatementLeft_isDeleted_ifItHasNotChanged() throws Exception {
    version("core.pods", "gone");
    start();

    expect("DELETE " + VERSIONS + "core.pods");

    assertThat(server.script.bodies())
        .singleElement()
        .asString()
        .contains("\"uid\":\"uid-of-core.pods\"", "\"resourceVersion\":\"5\"");
  }

  @Test
  void leaseThatEnds_takesTheStatementsOfItsServerAlong() throws Exception {
    lease("here");
    lease("ending");
    version("core.pods", "here", "ending");
    version("core.nodes", "here");
    start();
    assertThat(writes()).isEmpty();

    server.script.answer("GET " + LEASES + "ending", ScriptedServer.error(404, "NotFound"));
    server.leases.add(event("DELETED", lease("ending", "kube-apiserver")));

    expect("PUT " + VERSIONS + "core.pods/status");
    assertThat(writes()).containsExactly("PUT " + VERSIONS + "core.pods/status");
  }

  @Test
  void leaseThatTheInformerDoesNotHaveYet_counts() throws Exception {
    server.script.answer("GET " + LEASES + "new", lease("new", "kube-apiserver"));
    server.script.answer("GET " + LEASES + "other", lease("other", "something-else"));
    version("core.pods", "new");
    start();
    expect("GET " + LEASES + "new");

    // the one worker takes them in turn
    version("core.nodes", "other");

    expect("DELETE " + VERSIONS + "core.nodes");
    assertThat(writes()).containsExactly("DELETE " + VERSIONS + "core.nodes");
  }

  @Test
  void versionThatSomebodyElseWrites_isLookedAtAgain() throws Exception {
    lease("here");
    version("core.pods", "here", "gone");
    server.script.answer(
        "PUT " + VERSIONS + "core.pods/status", ScriptedServer.error(409, "Conflict"));
    start();

    Eventually.assertEventually(() -> assertThat(writes()).hasSizeGreaterThan(1));
    assertThat(server.script.requests().stream().filter(("GET " + VERSIONS + "core.pods")::equals))
        .as("reads")
        .hasSizeGreaterThan(1);
  }

  /** A scripted server with events of Leases and StorageVersions. */
  private static final class Watched implements ApiTransport {

    private final ScriptedServer script = new ScriptedServer();
    private final BlockingQueue<String> leases = new LinkedBlockingQueue<>();
    private final BlockingQueue<String> versions = new LinkedBlockingQueue<>();

    @Override
    public Answer send(Request request) {
      return script.send(request);
    }

    @Override
    public Answer send(Request request, TimeLimit limit) {
      return script.send(request);
    }

    @Override
    public EventStream watch(Request request) {
      BlockingQueue<String> events = request.path().endsWith("/leases") ? leases : versions;
      return new EventStream() {
        @Override
        public byte[] next() throws InterruptedException {
          return events.take().replace('\'', '"').getBytes(StandardCharsets.UTF_8);
        }

        @Override
        public void close() {
          // nothing is open
        }
      };
    }
  }
}
