package dev.keelson.blackbox;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.gson.Gson;
import com.google.gson.JsonElement;
import com.google.gson.JsonObject;
import dev.keelson.testing.EtcdExtension;
import dev.keelson.testing.EtcdProcess;
import dev.keelson.testing.KeelsonProcess;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;

/** The endpoints of the Service kubernetes, where several servers share an etcd. */
@Timeout(180)
@ExtendWith(EtcdExtension.class)
class ServerEndpointsIT {

  private static final Gson GSON = new Gson();

  @Test
  void endpointsAreTheServersThatAreAlive(@TempDir Path home, EtcdProcess etcd) throws Exception {
    try (KeelsonProcess first = start(home, etcd, 1);
        KeelsonProcess second = start(home, etcd, 2);
        KeelsonProcess third = start(home, etcd, 3)) {
      assertThat(addresses(first)).containsExactly("127.0.0.1", "127.0.0.2", "127.0.0.3");
      assertThat(slice(second)).containsExactly("127.0.0.1", "127.0.0.2", "127.0.0.3");

      int unused = second.stop();
      assertThat(addresses(first)).containsExactly("127.0.0.1", "127.0.0.3");

      third.kill();
      long end = System.nanoTime() + 60_000_000_000L;
      while (addresses(first).size() > 1 && System.nanoTime() < end) {
        LockSupport.parkNanos(500_000_000);
      }
      assertThat(addresses(first)).containsExactly("127.0.0.1");
      assertThat(slice(first)).containsExactly("127.0.0.1");
    }
  }

  private static KeelsonProcess start(Path home, EtcdProcess etcd, int number) {
    return KeelsonProcess.start(
        home.resolve("server-" + number),
        List.of(
            "--etcd-servers",
            etcd.endpoint().toString(),
            "--bind-address",
            "127.0.0." + number,
            "--advertise-address",
            "127.0.0." + number));
  }

  private static List<String> addresses(KeelsonProcess server) throws Exception {
    JsonObject endpoints = get(server, "/api/v1/namespaces/default/endpoints/kubernetes");
    List<String> addresses = new ArrayList<>();
    for (JsonElement subset : endpoints.getAsJsonArray("subsets")) {
      for (JsonElement address : subset.getAsJsonObject().getAsJsonArray("addresses")) {
        addresses.add(address.getAsJsonObject().get("ip").getAsString());
      }
    }
    return addresses;
  }

  private static List<String> slice(KeelsonProcess server) throws Exception {
    JsonObject slice =
        get(server, "/apis/discovery.k8s.io/v1/namespaces/default/endpointslices/kubernetes");
    List<String> addresses = new ArrayList<>();
    for (JsonElement endpoint : slice.getAsJsonArray("endpoints")) {
      addresses.add(endpoint.getAsJsonObject().getAsJsonArray("addresses").get(0).getAsString());
    }
    return addresses;
  }

  private static JsonObject get(KeelsonProcess server, String path)
      throws IOException, InterruptedException {
    try (HttpClient client =
        HttpClient.newBuilder().sslContext(server.kubeconfig().asUser()).build()) {
      return GSON.fromJson(
          client
              .send(
                  HttpRequest.newBuilder(URI.create(server.address() + path)).build(),
                  BodyHandlers.ofString())
              .body(),
          JsonObject.class);
    }
  }
}
