package dev.keelson.storage.encryption;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.keelson.storage.Bytes;
import dev.keelson.storage.Change;
import dev.keelson.storage.ChangeFeed;
import dev.keelson.storage.Entry;
import dev.keelson.storage.KeyRange;
import dev.keelson.storage.RevisionedStore;
import dev.keelson.storage.RevisionedStoreContract;
import dev.keelson.storage.StorageException;
import dev.keelson.storage.Write;
import dev.keelson.storage.WriteOutcome;
import dev.keelson.storage.sqlite.SqliteOptions;
import dev.keelson.storage.sqlite.SqliteStore;
import java.nio.file.Path;
import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** An encrypted store is a store; and what lies below it is encrypted. */
class EncryptedStoreTest extends RevisionedStoreContract {

  private static final Transformer CIPHER =
      new PrefixTransformers(
          List.of(
              PrefixedTransformer.of("k8s:enc:aesgcm:v1:", new AesGcm(new byte[32])),
              PrefixedTransformer.of("", IdentityTransformer.INSTANCE)),
          "no matching prefix found",
          TransformationListener.NONE);

  private final Path directory;
  private @Nullable RevisionedStore raw;

  EncryptedStoreTest(@TempDir Path directory) {
    this.directory = directory;
  }

  @Override
  protected RevisionedStore open() {
    RevisionedStore below =
        SqliteStore.open(
            SqliteOptions.defaults(directory.resolve("store.db")), InstantSource.system());
    raw = below;
    return new EncryptedStore(below, key -> key.utf8().contains("/plain/") ? null : CIPHER);
  }

  @Override
  protected RevisionedStore restart() {
    return open();
  }

  private RevisionedStore raw() {
    return Objects.requireNonNull(raw);
  }

  private String rawValue(String name) {
    return Objects.requireNonNull(raw().get(key(name), 0).entry()).value().utf8();
  }

  private void putRaw(String name, String value) {
    Entry entry = raw().get(key(name), 0).entry();
    long revision = entry == null ? Write.ABSENT : entry.modRevision();
    assertThat(raw().write(Write.put(key(name), bytes(value), revision)))
        .isInstanceOf(WriteOutcome.Applied.class);
  }

  @Test
  void values_areEncryptedBelow_butNotThoseOfNoResource() {
    long unused = create("a", "secret-value");
    unused = create("plain/b", "open-value");

    assertThat(rawValue("a")).startsWith("k8s:enc:aesgcm:v1:").doesNotContain("secret-value");
    assertThat(rawValue("plain/b")).isEqualTo("open-value");
  }

  @Test
  void stale_isWhatTheFirstProviderDidNotWrite() {
    long unused = create("a", "x");
    putRaw("b", "x");

    assertThat(store().stale(key("a"))).isFalse();
    assertThat(store().stale(key("b"))).isTrue();
    assertThat(store().stale(key("none"))).isFalse();
  }

  @Test
  void damagedValue_failsItsOwnReadsAndLists_withKubernetesWords() {
    long good = create("good", "x");
    putRaw("bad", "k8s:enc:aesgcm:v1:" + "0".repeat(40));

    assertThatThrownBy(() -> store().get(key("bad"), 0))
        .isInstanceOf(StorageException.Transformation.class)
        .hasMessage("cipher: message authentication failed");
    assertThatThrownBy(() -> store().range(everything(), 0, 10))
        .isInstanceOf(StorageException.Transformation.class)
        .hasMessage(
            "unable to transform key \""
                + key("bad")
                + "\": cipher: message authentication failed");
    assertThatThrownBy(() -> store().stale(key("bad")))
        .isInstanceOf(StorageException.Transformation.class);
    assertThatThrownBy(() -> store().write(Write.put(key("bad"), bytes("y"), good)))
        .isInstanceOf(StorageException.Transformation.class);
    assertThat(store().get(key("good"), 0).entry()).isNotNull();
  }

  @Test
  void feed_goesOnPastADamagedValue_andNamesItsKey() throws Exception {
    long begin = store().revision();
    putRaw("bad", "k8s:enc:other:");
    long revision = create("good", "x");

    try (ChangeFeed feed = store().feed(KeyRange.prefix(key("")), begin)) {
      List<Bytes> unreadable = new ArrayList<>();
      List<Change> changes = new ArrayList<>();
      while (changes.isEmpty()) {
        ChangeFeed.Batch batch = Objects.requireNonNull(feed.next(Duration.ofSeconds(60)));
        unreadable.addAll(batch.unreadable());
        changes.addAll(batch.changes());
      }
      assertThat(unreadable).containsExactly(key("bad"));
      assertThat(changes)
          .singleElement()
          .isInstanceOfSatisfying(
              Change.Put.class,
              put -> {
                assertThat(put.entry().value()).isEqualTo(bytes("x"));
                assertThat(put.revision()).isEqualTo(revision);
              });
    }
  }

  @Test
  void feed_namesAKeyWhosePreviousValueIsDamaged() throws Exception {
    putRaw("bad", "k8s:enc:other:");
    long begin = store().revision();
    putRaw("bad", "readable");

    try (ChangeFeed feed = store().feed(KeyRange.prefix(key("")), begin)) {
      ChangeFeed.Batch batch = Objects.requireNonNull(feed.next(Duration.ofSeconds(60)));
      while (batch.unreadable().isEmpty() && batch.changes().isEmpty()) {
        batch = Objects.requireNonNull(feed.next(Duration.ofSeconds(60)));
      }
      assertThat(batch.unreadable()).containsExactly(key("bad"));
      assertThat(batch.changes()).isEmpty();
    }
  }
}
