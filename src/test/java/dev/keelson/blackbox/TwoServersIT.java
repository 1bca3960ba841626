package dev.keelson.blackbox;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.gson.Gson;
import com.google.gson.JsonElement;
import com.google.gson.JsonObject;
import dev.keelson.testing.EtcdProcess;
import dev.keelson.testing.KeelsonProcess;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.TestInstance.Lifecycle;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Two servers that share an etcd, and clients that write through both at once. */
@TestInstance(Lifecycle.PER_CLASS)
@Timeout(180)
class TwoServersIT {

  private static final int CLIENTS = 16;

  /** Of the 254 addresses of a block of 256 the Service kubernetes has one. */
  private static final int ADDRESSES = 253;

  private static final int PORTS = 200;
  private static final Gson GSON = new Gson();
  private static final String CORE = "/api/v1/namespaces/default/";
  private static final String SERVICES = CORE + "services";
  private static final String NODE_PORT = "\"type\":\"NodePort\",";

  private final List<HttpClient> clients = new ArrayList<>();
  private final List<KeelsonProcess> servers = new ArrayList<>();
  private EtcdProcess etcd;

  @BeforeAll
  void start(@TempDir Path directory) throws IOException {
    etcd = EtcdProcess.create().start();
    for (String name : List.of("one", "two")) {
      KeelsonProcess server =
          KeelsonProcess.start(
              directory.resolve(name),
              List.of(
                  "--etcd-servers",
                  etcd.endpoint().toString(),
                  "--service-cluster-ip-range",
                  "10.77.0.0/24",
                  "--event-ttl",
                  "2s",
                  "--service-node-port-range",
                  "31000-" + (31000 + PORTS - 1)));
      servers.add(server);
      clients.add(HttpClient.newBuilder().sslContext(server.kubeconfig().asUser()).build());
    }
  }

  @AfterAll
  void stop() {
    clients.forEach(HttpClient::close);
    servers.forEach(KeelsonProcess::close);
    etcd.close();
  }

  private HttpResponse<String> send(int server, String method, String path, String body)
      throws IOException, InterruptedException {
    HttpRequest request =
        HttpRequest.newBuilder(URI.create(servers.get(server).address() + path))
            .header("Content-Type", "application/json")
            .method(method, BodyPublishers.ofString(body))
            .build();
    return clients.get(server).send(request, BodyHandlers.ofString());
  }

  /** Runs a task a client, of which half speak to each server, and returns what they return. */
  private static <T> List<T> fromAllClients(ClientTask<T> task) throws Exception {
    try (ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
      List<Callable<T>> tasks = new ArrayList<>();
      for (int i = 0; i < CLIENTS; i++) {
        int client = i;
        tasks.add(() -> task.run(client, client % 2));
      }
      List<T> results = new ArrayList<>();
      for (Future<T> each : threads.invokeAll(tasks)) {
        results.add(each.get());
      }
      return results;
    }
  }

  /** What one client does through one server. */
  private interface ClientTask<T> {
    T run(int client, int server) throws Exception;
  }

  private static String service(String name, String spec) {
    return """
    {"apiVersion":"v1","kind":"Service","metadata":{"name":"%s"},
     "spec":{%s"selector":{"app":"x"},"ports":[{"port":80}]}}
    """
        .formatted(name, spec);
  }

  /** Creates Services {@code prefix-0} and so on from all clients; returns the codes by name. */
  private Map<String, Integer> createAll(String prefix, int count, String spec) throws Exception {
    AtomicInteger next = new AtomicInteger();
    Map<String, Integer> codes = new TreeMap<>();
    for (Map<String, Integer> of :
        fromAllClients(
            (client, server) -> {
              Map<String, Integer> own = new TreeMap<>();
              for (int i = next.getAndIncrement(); i < count; i = next.getAndIncrement()) {
                String name = prefix + "-" + i;
                HttpResponse<String> answer = send(server, "POST", SERVICES, service(name, spec));
                if (answer.statusCode() != 201) {
                  assertThat(answer.body()).contains("range is full");
                }
                own.put(name, answer.statusCode());
              }
              return own;
            })) {
      codes.putAll(of);
    }
    return codes;
  }

  private static List<String> named(Map<String, Integer> codes, int code) {
    return codes.entrySet().stream()
        .filter(entry -> entry.getValue() == code)
        .map(Map.Entry::getKey)
        .toList();
  }

  private void deleteAll(List<String> names) throws Exception {
    AtomicInteger next = new AtomicInteger();
    List<Boolean> unused =
        fromAllClients(
            (client, server) -> {
              for (int i = next.getAndIncrement(); i < names.size(); i = next.getAndIncrement()) {
                String path = SERVICES + "/" + names.get(i);
                assertThat(send(server, "DELETE", path, "").statusCode()).isEqualTo(200);
              }
              return true;
            });
  }

  /** Checks that no two Services have the same address or node port. */
  private void assertNothingIsShared(int services, int ports) throws Exception {
    JsonObject list = GSON.fromJson(send(0, "GET", SERVICES, "").body(), JsonObject.class);
    Set<String> addresses = new HashSet<>();
    Set<Integer> nodePorts = new HashSet<>();
    for (JsonElement item : list.getAsJsonArray("items")) {
      JsonObject spec = item.getAsJsonObject().getAsJsonObject("spec");
      assertThat(addresses.add(spec.get("clusterIP").getAsString())).as("%s", item).isTrue();
      for (JsonElement port : spec.getAsJsonArray("ports")) {
        if (port.getAsJsonObject().has("nodePort")) {
          assertThat(nodePorts.add(port.getAsJsonObject().get("nodePort").getAsInt()))
              .as("%s", item)
              .isTrue();
        }
      }
    }
    // the Service kubernetes is among them
    assertThat(addresses).hasSize(services + 1);
    assertThat(nodePorts).hasSize(ports);
  }

  @Test
  void services_createdThroughBoth_shareNothingAndLeakNothing() throws Exception {
    // more than there are ports: those that get none give their address back
    Map<String, Integer> first = createAll("first", PORTS + 40, NODE_PORT);
    List<String> made = named(first, 201);
    assertThat(made).hasSize(PORTS);
    assertNothingIsShared(PORTS, PORTS);
    writeInVain(made.getFirst());
    Map<String, Integer> rest = createAll("rest", ADDRESSES - PORTS + 8, "");
    assertThat(named(rest, 201)).hasSize(ADDRESSES - PORTS);
    assertThat(named(rest, 500)).hasSize(8);
    assertNothingIsShared(ADDRESSES, PORTS);

    // half go and come again, some with the ports of others that changed their type meanwhile
    List<String> half = made.subList(0, PORTS / 2);
    deleteAll(half);
    writeInVain(made.getLast());
    assertThat(named(createAll("again", PORTS / 2, NODE_PORT), 201)).hasSize(PORTS / 2);
    assertNothingIsShared(ADDRESSES, PORTS);
    giveUpPort(made.getLast());
    String single = named(rest, 201).getFirst();
    deleteAll(List.of(single));
    assertThat(named(createAll("last", 2, NODE_PORT), 201)).hasSize(1);
    assertNothingIsShared(ADDRESSES, PORTS);

    JsonObject list = GSON.fromJson(send(1, "GET", SERVICES, "").body(), JsonObject.class);
    deleteAll(
        list.getAsJsonArray("items").asList().stream()
            .map(item -> item.getAsJsonObject().getAsJsonObject("metadata"))
            .map(metadata -> metadata.get("name").getAsString())
            .filter(name -> !name.equals("kubernetes"))
            .toList());
    assertThat(named(createAll("anew", PORTS, NODE_PORT), 201)).hasSize(PORTS);
    assertNothingIsShared(PORTS, PORTS);
  }

  /** Writes through both servers that are refused, or only tried. */
  private void writeInVain(String existing) throws Exception {
    for (int server = 0; server < 2; server++) {
      String badLabel =
          service("unfit", "").replace("\"name\"", "\"labels\":{\"a\":\"no spaces\"},\"name\"");
      assertThat(send(server, "POST", SERVICES, badLabel).statusCode()).isEqualTo(422);
      assertThat(send(server, "POST", SERVICES, service(existing, "")).statusCode()).isEqualTo(409);
      assertThat(send(server, "POST", SERVICES + "?dryRun=All", service("dry", "")).statusCode())
          .isEqualTo(201);
      String path = SERVICES + "/" + existing;
      assertThat(send(server, "DELETE", path + "?dryRun=All", "").statusCode()).isEqualTo(200);
      String stale =
          service(existing, "").replace("\"name\"", "\"resourceVersion\":\"1\",\"name\"");
      assertThat(send(server, "PUT", path, stale).statusCode()).isEqualTo(409);
    }
  }

  private void giveUpPort(String name) throws Exception {
    String path = SERVICES + "/" + name;
    assertThat(send(1, "PUT", path, service(name, "\"type\":\"ClusterIP\",")).statusCode())
        .isEqualTo(200);
  }

  @Test
  void increments_byCompareAndSwap_loseNothing() throws Exception {
    int each = Integer.getInteger("keelson.increments", 1_600) / CLIENTS;
    String path = CORE + "configmaps/counter";
    assertThat(send(0, "POST", CORE + "configmaps", counter("", 0)).statusCode()).isEqualTo(201);

    List<Integer> conflicts =
        fromAllClients(
            (client, server) -> {
              int refused = 0;
              String newest = send(server, "GET", path, "").body();
              int inARow = 0;
              for (int done = 0; done < each; ) {
                JsonObject current = GSON.fromJson(newest, JsonObject.class);
                String version =
                    current.getAsJsonObject("metadata").get("resourceVersion").getAsString();
                int count = current.getAsJsonObject("data").get("count").getAsInt();
                HttpResponse<String> answer =
                    send(server, "PUT", path, counter(version, count + 1));
                assertThat(answer.statusCode()).as(answer.body()).isIn(200, 409);
                if (answer.statusCode() == 200) {
                  done++;
                  inARow = 0;
                  newest = answer.body();
                } else {
                  refused++;
                  // clients leave each other room, as client-go does; without, most writes are vain
                  LockSupport.parkNanos(
                      ThreadLocalRandom.current().nextLong(10_000_000L << Math.min(5, inARow++)));
                  newest = send(server, "GET", path, "").body();
                }
              }
              return refused;
            });

    assertThat(IntStream.of(conflicts.stream().mapToInt(i -> i).toArray()).sum()).isPositive();
    for (int server = 0; server < 2; server++) {
      JsonObject end = GSON.fromJson(send(server, "GET", path, "").body(), JsonObject.class);
      assertThat(end.getAsJsonObject("data").get("count").getAsInt()).isEqualTo(each * CLIENTS);
    }
  }

  /** Each server has an authority of its own, and neither takes out the other's. */
  @Test
  void authorities_ofBothServers_areInEveryNamespace_andComeToRest() throws Exception {
    String path = CORE + "configmaps/kube-root-ca.crt";
    String certificate = "-----BEGIN CERTIFICATE-----";
    String body = "";
    while (body.split(certificate, -1).length != 3) {
      body = send(0, "GET", path, "").body();
    }
    HttpResponse<String> spoiled =
        send(
            0,
            "PUT",
            path,
            """
            {"apiVersion":"v1","kind":"ConfigMap","metadata":{"name":"kube-root-ca.crt"}}
            """);
    assertThat(spoiled.statusCode()).as(spoiled.body()).isEqualTo(200);
    body = "";
    while (body.split(certificate, -1).length != 3) {
      body = send(1, "GET", path, "").body();
    }

    // what is in the default namespace is as it is in one that was made with both running
    JsonObject namespace = new JsonObject();
    JsonObject metadata = new JsonObject();
    metadata.addProperty("name", "other");
    namespace.add("metadata", metadata);
    assertThat(send(0, "POST", "/api/v1/namespaces", namespace.toString()).statusCode())
        .isEqualTo(201);
    String other = "";
    while (other.split(certificate, -1).length != 3) {
      other = send(1, "GET", path.replace("/default/", "/other/"), "").body();
    }
    assertThat(send(0, "GET", path, "").body()).isEqualTo(body);
  }

  @Test
  void events_endByThemselves_andWatchersOfBothAreTold() throws Exception {
    String event =
        """
        {"apiVersion":"v1","kind":"Event","metadata":{"name":"brief"},
         "involvedObject":{"kind":"Pod","namespace":"default","name":"p"}}
        """;
    HttpResponse<String> created = send(0, "POST", CORE + "events", event);
    assertThat(created.statusCode()).as(created.body()).isEqualTo(201);

    for (int server = 0; server < 2; server++) {
      // the history from its creation on has nothing of it but its end
      HttpResponse<Stream<String>> watch =
          clients
              .get(server)
              .send(
                  HttpRequest.newBuilder(
                          URI.create(
                              servers.get(server).address()
                                  + CORE
                                  + "events?watch=1&timeoutSeconds=60&resourceVersion="
                                  + GSON.fromJson(created.body(), JsonObject.class)
                                      .getAsJsonObject("metadata")
                                      .get("resourceVersion")
                                      .getAsString()
                                  + "&fieldSelector=metadata.name=brief"))
                      .build(),
                  BodyHandlers.ofLines());
      try (Stream<String> lines = watch.body()) {
        assertThat(lines.findFirst().orElse("")).contains("\"type\":\"DELETED\"");
      }
      assertThat(send(server, "GET", CORE + "events/brief", "").statusCode()).isEqualTo(404);
    }
  }

  private static String counter(String version, int count) {
    return """
    {"apiVersion":"v1","kind":"ConfigMap","metadata":{"name":"counter","resourceVersion":"%s"},
     "data":{"count":"%d"}}
    """
        .formatted(version, count);
  }
}
