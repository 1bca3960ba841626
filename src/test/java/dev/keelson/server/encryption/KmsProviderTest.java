package dev.keelson.server.encryption;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.keelson.storage.Bytes;
import dev.keelson.storage.encryption.TransformationException;
import dev.keelson.storage.encryption.Transformer.Plain;
import dev.keelson.storage.encryption.kms.EnvelopeTransformer;
import dev.keelson.storage.encryption.kms.GrpcKeyService;
import dev.keelson.testing.Eventually;
import dev.keelson.testing.KmsPlugin;
import dev.keelson.testing.ManualClock;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** A provider with a plug-in on a Unix socket; time is set by the test. */
@Timeout(60)
class KmsProviderTest {

  private static final Bytes PATH = Bytes.utf8("/registry/secrets/default/demo");
  private static final Bytes TEXT = Bytes.utf8("{\"kind\":\"Secret\"}");

  @TempDir private Path directory;
  private final ManualClock clock = new ManualClock();
  private final LateListener listener = new LateListener();
  private final List<KmsProvider> open = new ArrayList<>();
  private KmsPlugin plugin;

  @BeforeEach
  void startPlugin() throws IOException {
    plugin = KmsPlugin.at(directory.resolve("kms.sock"));
  }

  @AfterEach
  void stopAll() throws Exception {
    open.forEach(KmsProvider::close);
    plugin.close();
  }

  /** A provider with a seed; on a slow machine the first call may come too late. */
  private KmsProvider provider() {
    KmsProvider provider = asked();
    Eventually.assertEventually(
        () -> {
          clock.advance(Duration.ofSeconds(3));
          assertThat(provider.check()).isEmpty();
        });
    return provider;
  }

  /** A provider that has asked for the status once. */
  private KmsProvider asked() {
    KmsProvider provider =
        new KmsProvider(
            "demo",
            new GrpcKeyService(
                "demo", directory.resolve("kms.sock"), Duration.ofSeconds(2), listener),
            clock,
            listener);
    open.add(provider);
    provider.poll();
    return provider;
  }

  private static Plain read(EnvelopeTransformer transformer, Bytes stored) {
    return transformer.fromStorage(stored, PATH);
  }

  @Test
  void writes_callNoService_andAnotherServerReadsThemWithOneCall() {
    EnvelopeTransformer transformer = provider().transformer();
    Bytes first = transformer.toStorage(TEXT, PATH);
    Bytes second = transformer.toStorage(TEXT, PATH);
    assertThat(plugin.calls("Encrypt")).isEqualTo(1);

    EnvelopeTransformer other = provider().transformer();
    assertThat(read(other, first)).isEqualTo(new Plain(TEXT, false));
    assertThat(read(other, second)).isEqualTo(new Plain(TEXT, false));
    assertThat(read(transformer, first)).isEqualTo(new Plain(TEXT, false));

    assertThat(first).isNotEqualTo(second);
    assertThat(plugin.calls("Decrypt")).isEqualTo(1);
  }

  @Test
  void otherKeyOfTheService_replacesTheSeed_andOldValuesAreStale() {
    KmsProvider provider = provider();
    Bytes old = provider.transformer().toStorage(TEXT, PATH);

    plugin.rotate("key-2");
    clock.advance(Duration.ofMinutes(1));
    provider.poll();

    assertThat(plugin.calls("Encrypt")).isEqualTo(2);
    assertThat(read(provider.transformer(), old)).isEqualTo(new Plain(TEXT, true));
    Bytes fresh = provider.transformer().toStorage(TEXT, PATH);
    assertThat(read(provider.transformer(), fresh)).isEqualTo(new Plain(TEXT, false));
    assertThat(plugin.calls("Decrypt")).isZero();
  }

  @Test
  void sameKeyOfTheService_keepsTheSeed() {
    KmsProvider provider = provider();
    for (int i = 0; i < 10; i++) {
      clock.advance(Duration.ofMinutes(1));
      provider.poll();
    }

    assertThat(plugin.calls("Encrypt")).isEqualTo(1);
    assertThat(provider.transformer().toStorage(TEXT, PATH).isEmpty()).isFalse();
  }

  @Test
  void serviceAway_readsGoOn_andWritesEndAfterThreeMinutes() throws Exception {
    KmsProvider provider = provider();
    Bytes stored = provider.transformer().toStorage(TEXT, PATH);
    plugin.stop();
    clock.advance(Duration.ofMinutes(1));

    assertThat(provider.check())
        .hasValueSatisfying(
            failure ->
                assertThat(failure)
                    .matches(
                        "failed to perform status section of the healthz check for KMS Provider"
                            + " demo, error: rpc error: code = (DeadlineExceeded|Unavailable) desc"
                            + " = (?s:.*)"));
    assertThat(provider.check())
        .as("the shared result, as kube-apiserver tells it")
        .hasValueSatisfying(failure -> assertThat(failure).startsWith("rpc error: code = "));
    assertThat(read(provider.transformer(), stored).value()).isEqualTo(TEXT);
    assertThat(provider.transformer().toStorage(TEXT, PATH).isEmpty()).isFalse();

    clock.advance(Duration.ofMinutes(3));
    assertThat(read(provider.transformer(), stored).value()).isEqualTo(TEXT);
    assertThatThrownBy(() -> provider.transformer().toStorage(TEXT, PATH))
        .isInstanceOf(TransformationException.class)
        .hasMessageMatching(
            "encryptedDEKSource with keyID hash \"sha256:[0-9a-f]{64}\" expired at \\S+ \\(current"
                + " time is \\S+\\)");

    plugin.start();
    clock.advance(Duration.ofSeconds(10));
    assertThat(provider.check()).isEmpty();
    assertThat(read(provider.transformer(), provider.transformer().toStorage(TEXT, PATH)).value())
        .isEqualTo(TEXT);
  }

  @Test
  void serviceAwayAtTheStart_failsReadsAndWrites_untilItComes() throws Exception {
    Bytes stored = provider().transformer().toStorage(TEXT, PATH);
    plugin.stop();

    KmsProvider late = asked();
    assertThatThrownBy(() -> late.transformer().toStorage(TEXT, PATH))
        .hasMessage("got unexpected nil transformer");
    assertThatThrownBy(() -> read(late.transformer(), stored))
        .hasMessage("got unexpected nil transformer");

    plugin.start();
    clock.advance(Duration.ofSeconds(10));
    late.poll();
    assertThat(read(late.transformer(), stored).value()).isEqualTo(TEXT);
  }

  @Test
  void decryptionThatFails_isToldWithItsCode() throws Exception {
    Bytes stored = provider().transformer().toStorage(TEXT, PATH);
    KmsProvider other = provider();
    plugin.stop();

    assertThatThrownBy(() -> read(other.transformer(), stored))
        .isInstanceOfSatisfying(
            TransformationException.class,
            // the connection may be lost before or during the call
            e -> assertThat(e.status()).isIn("DeadlineExceeded", "Unavailable"))
        .hasMessageStartingWith("failed to decrypt DEK, error: rpc error: code = ");
  }

  @Test
  void unhealthyService_isToldInKubernetesWords_andTheResultIsShared() {
    KmsProvider provider = provider();
    plugin.health("sick");
    assertThat(provider.check()).as("a good result of 20 s").isEmpty();

    clock.advance(Duration.ofSeconds(20));
    assertThat(provider.check())
        .contains("kmsv2 Provider demo is not healthy, error: got unexpected healthz status: sick");
    int asked = plugin.calls("Status");
    assertThat(provider.check()).isPresent();
    assertThat(plugin.calls("Status")).isEqualTo(asked);

    plugin.health("ok");
    clock.advance(Duration.ofSeconds(3));
    assertThat(provider.check()).isEmpty();
  }

  @Test
  void keyThatIsEmpty_isRejected() {
    KmsProvider provider = provider();
    plugin.rotate("");
    clock.advance(Duration.ofSeconds(20));

    assertThat(provider.check())
        .contains(
            "kmsv2 Provider demo is not healthy, error: got invalid KMSv2 KeyID hash \"\": keyID is"
                + " empty");
  }

  @Test
  void damagedValues_areRejected() {
    EnvelopeTransformer transformer = provider().transformer();
    byte[] stored = transformer.toStorage(TEXT, PATH).array();
    for (int length = 0; length < stored.length; length++) {
      Bytes cut = Bytes.wrap(Arrays.copyOf(stored, length));
      assertThatThrownBy(() -> read(transformer, cut)).isInstanceOf(TransformationException.class);
    }
    assertThatThrownBy(() -> read(transformer, Bytes.EMPTY)).hasMessage("encrypted data is empty");
    assertThatThrownBy(
            () -> transformer.fromStorage(Bytes.wrap(stored), Bytes.utf8("/registry/other")))
        .hasMessage("cipher: message authentication failed");
  }
}
