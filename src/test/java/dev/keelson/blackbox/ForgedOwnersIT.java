package dev.keelson.blackbox;

import static dev.keelson.testing.Eventually.assertEventually;
import static org.assertj.core.api.Assertions.assertThat;

import dev.keelson.testing.KeelsonProcess;
import dev.keelson.testing.RestClient;
import io.restassured.response.Response;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInfo;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.TestInstance.Lifecycle;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * Users of one namespace who claim owners in another, so that the garbage collector would delete
 * what is not theirs, or never let go of it.
 */
@TestInstance(Lifecycle.PER_CLASS)
@Timeout(240)
class ForgedOwnersIT {

  private static final String ROLES = "/apis/rbac.authorization.k8s.io/v1/clusterroles";
  private static final int MANY = 20;

  private KeelsonProcess server;
  private RestClient client;
  private String victims;
  private String attackers;
  private String uid;

  @BeforeAll
  void start(@TempDir Path directory) {
    server = KeelsonProcess.start(directory, List.of());
    client = RestClient.administrator(server);
  }

  @AfterAll
  void stop() {
    server.close();
  }

  /** An object and one that it owns, in a namespace of the test's own. */
  @BeforeEach
  void createParentAndChild(TestInfo test) {
    String name = "t" + Integer.toHexString(test.getDisplayName().hashCode());
    for (String each : List.of(name + "-v", name + "-a")) {
      Response unused = create("/api/v1/namespaces", Map.of("metadata", Map.of("name", each)));
    }
    victims = maps(name + "-v");
    attackers = maps(name + "-a");
    uid =
        create(victims, Map.of("metadata", Map.of("name", "parent")))
            .jsonPath()
            .getString("metadata.uid");
    createOwned(victims, "child", "v1", "ConfigMap", "parent", uid);
  }

  private static String maps(String namespace) {
    return "/api/v1/namespaces/" + namespace + "/configmaps";
  }

  private Response create(String collection, Object object) {
    Response answer = client.post(collection, object);
    assertThat(answer.statusCode()).as(answer.asString()).isEqualTo(201);
    return answer;
  }

  private void createOwned(
      String collection, String name, String version, String kind, String owner, String ownersUid) {
    Response unused =
        create(
            collection,
            Map.of(
                "metadata",
                Map.of(
                    "name",
                    name,
                    "ownerReferences",
                    List.of(
                        Map.of(
                            "apiVersion",
                            version,
                            "kind",
                            kind,
                            "name",
                            owner,
                            "uid",
                            ownersUid,
                            "controller",
                            true,
                            "blockOwnerDeletion",
                            true)))));
  }

  private int status(String path) {
    return client.get(path).statusCode();
  }

  /** Returns when the collector has seen what was created before. */
  private void awaitCollection() {
    String canary = "canary-" + UUID.randomUUID();
    createOwned(attackers, canary, "v1", "ConfigMap", "none", UUID.randomUUID().toString());
    assertEventually(() -> assertThat(status(attackers + "/" + canary)).isEqualTo(404));
  }

  private void assertUnharmed() {
    assertThat(client.get(victims + "/parent").jsonPath().getString("metadata.uid")).isEqualTo(uid);
    assertThat(
            client.get(victims + "/child").jsonPath().getString("metadata.ownerReferences[0].uid"))
        .isEqualTo(uid);
  }

  @ParameterizedTest
  @CsvSource({
    // the true owner, in another namespace
    "v1, ConfigMap, parent",
    // its uid under other names, kinds, groups and scopes
    "v1, ConfigMap, other",
    "v1, Secret, parent",
    "apps/v1, Deployment, parent",
    "v1, Namespace, default",
    "v1, Node, parent",
    "example.com/v1, Nothing, parent"
  })
  void ownerWithTheUidOfAnother_harmsNobody(String version, String kind, String name) {
    for (int i = 0; i < MANY; i++) {
      createOwned(attackers, "forged-" + i, version, kind, name, uid);
    }
    awaitCollection();
    assertUnharmed();

    // what is made afterwards is not taken for garbage either
    createOwned(victims, "later", "v1", "ConfigMap", "parent", uid);
    for (int i = 0; i < MANY; i++) {
      createOwned(attackers, "again-" + i, version, kind, name, uid);
    }
    awaitCollection();
    assertUnharmed();
    assertThat(status(victims + "/later")).isEqualTo(200);

    // nor does a foreign dependent block the end of its owner
    assertThat(
            client
                .delete(victims + "/parent", Map.of("propagationPolicy", "Foreground"))
                .statusCode())
        .isEqualTo(200);
    for (String each : List.of("parent", "child", "later")) {
      assertEventually(() -> assertThat(status(victims + "/" + each)).isEqualTo(404));
    }
  }

  @Test
  void clusterScopedDependent_harmsNobody() {
    for (int i = 0; i < MANY; i++) {
      createOwned(ROLES, "forged-" + i, "v1", "ConfigMap", "parent", uid);
    }
    awaitCollection();
    assertUnharmed();

    assertThat(
            client
                .delete(victims + "/parent", Map.of("propagationPolicy", "Foreground"))
                .statusCode())
        .isEqualTo(200);
    assertEventually(() -> assertThat(status(victims + "/parent")).isEqualTo(404));
    assertThat(status(ROLES + "/forged-0")).isEqualTo(200);
  }

  /** Who could choose a uid could own what others have given to it. */
  @Test
  void uid_isNotTheClientsToChoose() {
    Response created = create(attackers, Map.of("metadata", Map.of("name", "parent", "uid", uid)));

    assertThat(created.jsonPath().getString("metadata.uid")).hasSize(36).isNotEqualTo(uid);
    assertThat(client.delete(attackers + "/parent").statusCode()).isEqualTo(200);
    awaitCollection();
    assertUnharmed();
  }
}
