package dev.keelson.registry.namespace;

import static org.assertj.core.api.Assertions.assertThat;

import dev.keelson.api.ApiException;
import dev.keelson.api.FieldCause;
import dev.keelson.api.Reason;
import dev.keelson.object.ApiObject;
import dev.keelson.registry.RegistryTest;
import dev.keelson.registry.WriteOptions;
import dev.keelson.registry.write.DeleteQuery;
import dev.keelson.registry.write.Deleted;
import dev.keelson.schema.StoredType;
import dev.keelson.storage.Bytes;
import dev.keelson.storage.WriteOutcome;
import java.nio.file.Path;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class NamespaceInformerTest extends RegistryTest {

  private final BlockingQueue<String> terminating = new LinkedBlockingQueue<>();
  private final NamespaceInformer presence;

  NamespaceInformerTest(@TempDir Path directory) {
    super(directory);
    presence = presence(terminating);
  }

  @BeforeEach
  void start() {
    presence.start();
  }

  @AfterEach
  void stop() {
    presence.close();
  }

  @Test
  void check_ofANamespaceThatExists_passes() {
    presence.checkCreate(api.collection("v1", "pods", "default"), "a");
    namespace("fresh");
    presence.checkCreate(api.collection("v1", "pods", "fresh"), "a");

    assertThat(terminating).isEmpty();
  }

  @Test
  void check_ofAMissingNamespace_isNotFound() {
    ApiException refusal =
        refusal(
            Reason.NOT_FOUND,
            () -> presence.checkCreate(api.collection("v1", "pods", "nowhere"), "a"));

    assertThat(refusal).hasMessage("namespaces \"nowhere\" not found");
  }

  @Test
  void check_ofANamespaceBeingDeleted_isForbiddenWithTheCauseThatClientsTest() throws Exception {
    namespace("dying");
    delete("dying");
    assertThat(terminating.poll(60, TimeUnit.SECONDS)).isEqualTo("dying");

    ApiException refusal =
        refusal(
            Reason.FORBIDDEN,
            () -> presence.checkCreate(api.collection("apps/v1", "deployments", "dying"), "a"));

    assertThat(refusal)
        .hasMessage(
            "deployments.apps \"a\" is forbidden: unable to create new content in namespace dying"
                + " because it is being terminated");
    assertThat(refusal.details().causes())
        .containsExactly(
            new FieldCause(
                "NamespaceTerminating",
                "namespace dying is being terminated",
                "metadata.namespace"));
  }

  @Test
  void follower_outlivesANamespaceThatItCannotRead() throws Exception {
    StoredType type = api.storedType("v1", "namespaces");
    WriteOutcome damaged = api.objects().create(type, "", "damaged", Bytes.utf8("no JSON"));
    assertThat(damaged).isInstanceOf(WriteOutcome.Applied.class);

    namespace("dying");
    delete("dying");

    assertThat(terminating.poll(60, TimeUnit.SECONDS)).isEqualTo("dying");
    refusal(
        Reason.INTERNAL_ERROR,
        () -> presence.checkCreate(api.collection("v1", "pods", "damaged"), "a"));
  }

  @Test
  void start_tellsOfDeletionsThatBeganBefore() throws Exception {
    namespace("dying");
    delete("dying");
    BlockingQueue<String> heard = new LinkedBlockingQueue<>();
    try (NamespaceInformer second = presence(heard)) {
      second.start();

      assertThat(heard.poll(60, TimeUnit.SECONDS)).isEqualTo("dying");
    }
  }

  private NamespaceInformer presence(BlockingQueue<String> terminating) {
    NamespaceInformer made =
        new NamespaceInformer(api.objects(), api.codec(), api.storedType("v1", "namespaces"));
    made.listen(
        new NamespaceInformer.Listener() {
          @Override
          public void active(String namespace) {}

          @Override
          public void terminating(String namespace) {
            terminating.add(namespace);
          }
        });
    return made;
  }

  private void namespace(String name) {
    ApiObject created = api.create("v1", "namespaces", "", "{'metadata':{'name':'" + name + "'}}");
    assertThat(created.root().map("spec").items("finalizers")).hasSize(1);
  }

  private void delete(String name) {
    Deleted deleted =
        api.registry()
            .delete(
                api.collection("v1", "namespaces", ""),
                name,
                DeleteQuery.UNCONDITIONAL,
                WriteOptions.PERSIST);
    assertThat(deleted.gone()).isFalse();
    assertThat(api.served(deleted.object()).root().map("status").text("phase"))
        .isEqualTo("Terminating");
  }
}
