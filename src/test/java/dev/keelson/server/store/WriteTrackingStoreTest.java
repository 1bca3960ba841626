package dev.keelson.server.store;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.keelson.storage.Bytes;
import dev.keelson.storage.ForwardingStore;
import dev.keelson.storage.RevisionedStore;
import dev.keelson.storage.StorageException;
import dev.keelson.storage.Write;
import dev.keelson.storage.WriteOutcome;
import dev.keelson.storage.object.KeyLayout;
import dev.keelson.testing.FaultyStore;
import dev.keelson.testing.FaultyStore.Fault;
import dev.keelson.testing.LocalApi;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class WriteTrackingStoreTest {

  private static final Bytes ANY = Bytes.utf8("/registry/");

  private LocalApi api;
  private FaultyStore faulty;
  private boolean away;
  private WriteTrackingStore marked;

  @BeforeEach
  void open(@TempDir Path directory) {
    api = LocalApi.open(directory);
    faulty = api.store();
    RevisionedStore mayBeAway =
        new ForwardingStore(faulty) {
          @Override
          public long revision() {
            if (away) {
              throw new StorageException.Unavailable("away", null);
            }
            return super.revision();
          }
        };
    marked =
        WriteTrackingStore.of(
            mayBeAway, KeyLayout.KUBERNETES, List.of(api.storedType("v1", "configmaps")));
  }

  @AfterEach
  void close() {
    api.close();
  }

  private WriteOutcome write(String key) {
    return marked.write(Write.put(Bytes.utf8(key), Bytes.utf8("{}"), Write.ABSENT));
  }

  @Test
  void lastWrite_isThatOfTheMarkedTypes() {
    assertThat(marked.lastWrite(ANY)).isZero();
    WriteOutcome.Applied map = (WriteOutcome.Applied) write("/registry/configmaps/default/a");
    WriteOutcome.Applied secret = (WriteOutcome.Applied) write("/registry/secrets/default/a");

    assertThat(marked.lastWrite(ANY)).isEqualTo(map.revision()).isLessThan(secret.revision());
  }

  @Test
  void ends_areDeletesOfWhatIsHeldAndEveryWriteOfWhatIsRead() {
    WriteTrackingStore ends =
        WriteTrackingStore.ofEnds(
            faulty,
            KeyLayout.KUBERNETES,
            List.of(api.storedType("v1", "pods")),
            List.of(api.storedType("v1", "secrets")));
    Bytes pod = Bytes.utf8("/registry/pods/default/a");
    WriteOutcome.Applied made =
        (WriteOutcome.Applied) ends.write(Write.put(pod, Bytes.utf8("{}"), Write.ABSENT));
    assertThat(ends.lastWrite(ANY)).isZero();
    WriteOutcome.Applied gone =
        (WriteOutcome.Applied) ends.write(Write.delete(pod, made.revision()));
    assertThat(ends.lastWrite(ANY)).isEqualTo(gone.revision());
    WriteOutcome.Applied secret =
        (WriteOutcome.Applied)
            ends.write(
                Write.put(
                    Bytes.utf8("/registry/secrets/default/a"), Bytes.utf8("{}"), Write.ABSENT));

    assertThat(ends.lastWrite(ANY)).isEqualTo(secret.revision());
  }

  @Test
  void write_ofUnknownOutcome_isToldAsThat_thoughTheStoreIsAway() {
    faulty.nextWrite(Fault.LOSE_ANSWER, () -> away = true);

    assertThatThrownBy(() -> write("/registry/configmaps/default/a"))
        .isInstanceOf(StorageException.UnknownOutcome.class);

    assertThatThrownBy(() -> marked.lastWrite(ANY))
        .isInstanceOf(StorageException.Unavailable.class);
    away = false;
    assertThat(marked.lastWrite(ANY)).isEqualTo(faulty.revision());
  }

  @Test
  void lastWrite_afterTheStoreWasRestored_isItsNewestRevision() {
    WriteOutcome unused = write("/registry/configmaps/default/a");

    marked.forget();
    WriteOutcome.Applied other = (WriteOutcome.Applied) write("/registry/secrets/default/a");

    assertThat(marked.lastWrite(ANY)).isEqualTo(other.revision());
  }
}
