package dev.keelson.storage.object;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import dev.keelson.schema.StoredType;
import dev.keelson.storage.Bytes;
import dev.keelson.storage.Entry;
import dev.keelson.storage.ForwardingStore;
import dev.keelson.storage.RevisionedStore;
import dev.keelson.storage.StorageException;
import dev.keelson.storage.Write;
import dev.keelson.storage.WriteOutcome;
import dev.keelson.storage.WriteOutcome.Applied;
import dev.keelson.storage.WriteOutcome.Conflict;
import dev.keelson.storage.WriteOutcome.Missing;
import dev.keelson.testing.FaultyStore;
import dev.keelson.testing.FaultyStore.Fault;
import dev.keelson.testing.LocalApi;
import dev.keelson.testing.ManualClock;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

@Timeout(120)
class ObjectStoreTest {

  private static final Bytes ONE = Bytes.utf8("one");
  private static final Bytes TWO = Bytes.utf8("two");
  private static final Bytes THREE = Bytes.utf8("three");

  private final LocalApi api;
  private final FaultyStore faults;
  private final ObjectStore objects;
  private final StoredType type;

  ObjectStoreTest(@TempDir Path directory) {
    api = LocalApi.open(directory);
    faults = api.store();
    objects = api.objects();
    type = api.storedType("v1", "configmaps");
  }

  @AfterEach
  void close() {
    api.close();
  }

  @Test
  void objectsThatEnd_shareALease_whileThatIsYoung() {
    ManualClock clock = new ManualClock();
    List<Long> granted = new ArrayList<>();
    List<Long> used = new ArrayList<>();
    RevisionedStore recording =
        new ForwardingStore(faults) {
          @Override
          public long grantLease(Duration timeToLive) {
            granted.add(timeToLive.toSeconds());
            return super.grantLease(timeToLive);
          }

          @Override
          public WriteOutcome write(Write write) {
            used.add(((Write.Put) write).lease());
            return super.write(write);
          }
        };
    StoredType events = api.storedType("v1", "events");
    ObjectStore expiring =
        new ObjectStore(
            recording,
            KeyLayout.KUBERNETES,
            new Expiry(Map.of(events.keyPrefix(), Duration.ofHours(1)), clock));

    WriteOutcome first = expiring.create(events, "default", "a", ONE);
    clock.advance(Duration.ofSeconds(59));
    WriteOutcome second = expiring.create(events, "default", "b", ONE);
    clock.advance(Duration.ofSeconds(1));
    WriteOutcome again =
        expiring.replace(events, "default", "a", TWO, ((Applied) first).revision());
    WriteOutcome stays = expiring.create(type, "default", "x", ONE);

    assertThat(List.of(first, second, again, stays)).allMatch(Applied.class::isInstance);
    assertThat(granted).containsExactly(3660L, 3660L);
    assertThat(used.get(0)).isEqualTo(used.get(1)).isNotZero();
    assertThat(used.get(2)).isNotEqualTo(used.get(0)).isNotZero();
    assertThat(used.get(3)).isZero();
  }

  @Test
  void create_ofAnExistingObject_conflicts() {
    long revision = created(ONE);

    WriteOutcome again = objects.create(type, "default", "x", TWO);

    assertThat(again)
        .isInstanceOfSatisfying(
            Conflict.class,
            conflict -> {
              assertThat(conflict.current().modRevision()).isEqualTo(revision);
              assertThat(conflict.current().value()).isEqualTo(ONE);
            });
  }

  @Test
  void replaceAndDelete_atAnOldRevision_conflict() {
    long first = created(ONE);
    long second = applied(objects.replace(type, "default", "x", TWO, first));

    assertThat(objects.replace(type, "default", "x", THREE, first)).isInstanceOf(Conflict.class);
    assertThat(objects.delete(type, "default", "x", first)).isInstanceOf(Conflict.class);
    assertThat(objects.delete(type, "default", "x", second)).isInstanceOf(Applied.class);
    assertThat(objects.delete(type, "default", "x", second)).isInstanceOf(Missing.class);
  }

  @Test
  void list_givesEveryPageAtOneRevision() {
    for (int i = 0; i < 1203; i++) {
      applied(objects.create(type, "default", "n%04d".formatted(i), ONE));
    }
    List<String> names = new ArrayList<>();
    boolean[] written = new boolean[1];

    long revision =
        objects.list(
            type,
            "",
            entry -> {
              if (!written[0]) {
                written[0] = true;
                applied(objects.create(type, "default", "n9999", ONE));
              }
              names.add(ObjectStore.name(entry.key()));
            });

    assertThat(names).hasSize(1203).isSorted().doesNotContain("n9999");
    assertThat(faults.revision()).isEqualTo(revision + 1);
  }

  @Test
  void create_whoseAnswerIsLost_isFoundToHaveHappened() {
    faults.nextWrite(Fault.LOSE_ANSWER);

    WriteOutcome outcome = objects.create(type, "default", "x", ONE);

    assertThat(applied(outcome)).isEqualTo(entry().modRevision());
  }

  @Test
  void create_whoseAnswerIsLostAndWhoseObjectIsChangedAtOnce_isFoundToHaveHappened() {
    faults.nextWrite(Fault.LOSE_ANSWER, () -> overwrite(TWO));

    WriteOutcome outcome = objects.create(type, "default", "x", ONE);

    assertThat(applied(outcome)).isEqualTo(entry().createRevision());
  }

  @Test
  void create_whoseAnswerIsLostWhileAnotherCreates_isOfUnknownOutcome() {
    // the request may be applied when the other object is deleted
    faults.nextWrite(Fault.LOSE_REQUEST, () -> created(TWO));

    assertThatExceptionOfType(StorageException.UnknownOutcome.class)
        .isThrownBy(() -> objects.create(type, "default", "x", ONE));
  }

  @Test
  void create_whoseObjectIsDeletedAtOnce_isOfUnknownOutcome() {
    faults.nextWrite(Fault.LOSE_ANSWER, this::deleted);

    assertThatExceptionOfType(StorageException.UnknownOutcome.class)
        .isThrownBy(() -> objects.create(type, "default", "x", ONE));
  }

  @Test
  void create_whoseObjectIsDeletedAndReplacedAtOnce_isNotSaidToConflict() {
    faults.nextWrite(
        Fault.LOSE_ANSWER,
        () -> {
          deleted();
          created(TWO);
        });

    assertThatExceptionOfType(StorageException.UnknownOutcome.class)
        .isThrownBy(() -> objects.create(type, "default", "x", ONE));
  }

  @Test
  void create_thatMayYetHappen_isOfUnknownOutcome() {
    faults.nextWrite(Fault.LOSE_REQUEST);

    assertThatExceptionOfType(StorageException.UnknownOutcome.class)
        .isThrownBy(() -> objects.create(type, "default", "x", ONE));
  }

  @Test
  void replace_whoseAnswerIsLost_isFoundToHaveHappened() {
    long first = created(ONE);
    faults.nextWrite(Fault.LOSE_ANSWER);

    WriteOutcome outcome = objects.replace(type, "default", "x", TWO, first);

    assertThat(applied(outcome)).isEqualTo(entry().modRevision());
  }

  @Test
  void replace_whoseAnswerIsLostAndWhoseObjectIsChangedTwice_isFoundToHaveHappened() {
    long first = created(ONE);
    faults.nextWrite(
        Fault.LOSE_ANSWER,
        () -> {
          overwrite(THREE);
          overwrite(ONE);
        });

    WriteOutcome outcome = objects.replace(type, "default", "x", TWO, first);

    assertThat(applied(outcome)).isEqualTo(first + 1);
  }

  @Test
  void replace_thatGetsLostWhileAnotherWrites_conflicts() {
    long first = created(ONE);
    faults.nextWrite(
        Fault.LOSE_REQUEST,
        () -> {
          overwrite(THREE);
          overwrite(ONE);
        });

    WriteOutcome outcome = objects.replace(type, "default", "x", TWO, first);

    assertThat(outcome).isInstanceOf(Conflict.class);
  }

  @Test
  void replace_whoseHistoryIsGone_isOfUnknownOutcome() {
    long first = created(ONE);
    faults.nextWrite(
        Fault.LOSE_ANSWER,
        () -> {
          overwrite(THREE);
          faults.compact(faults.revision());
        });

    assertThatExceptionOfType(StorageException.UnknownOutcome.class)
        .isThrownBy(() -> objects.replace(type, "default", "x", TWO, first));
  }

  @Test
  void replace_ofAnObjectThatAnotherDeletedMeanwhile_isMissing() {
    long first = created(ONE);
    faults.nextWrite(
        Fault.LOSE_REQUEST, () -> applied(objects.delete(type, "default", "x", first)));

    assertThat(objects.replace(type, "default", "x", TWO, first)).isInstanceOf(Missing.class);
  }

  @Test
  void replace_whoseObjectIsDeletedAtOnce_isFoundToHaveHappened() {
    long first = created(ONE);
    faults.nextWrite(Fault.LOSE_ANSWER, this::deleted);

    WriteOutcome outcome = objects.replace(type, "default", "x", TWO, first);

    assertThat(applied(outcome)).isEqualTo(first + 1);
  }

  @Test
  void replace_whoseObjectIsDeletedAndCreatedAtOnce_isFoundToHaveHappened() {
    long first = created(ONE);
    faults.nextWrite(
        Fault.LOSE_ANSWER,
        () -> {
          deleted();
          created(THREE);
          overwrite(ONE);
        });

    WriteOutcome outcome = objects.replace(type, "default", "x", TWO, first);

    assertThat(applied(outcome)).isEqualTo(first + 1);
  }

  @Test
  void replace_thatGetsLostWhileOthersWriteAndDelete_isMissing() {
    long first = created(ONE);
    faults.nextWrite(
        Fault.LOSE_REQUEST,
        () -> {
          overwrite(THREE);
          deleted();
        });

    assertThat(objects.replace(type, "default", "x", TWO, first)).isInstanceOf(Missing.class);
  }

  @Test
  void replace_thatGetsLostWhileOthersDeleteAndCreate_conflicts() {
    long first = created(ONE);
    faults.nextWrite(
        Fault.LOSE_REQUEST,
        () -> {
          deleted();
          created(TWO);
        });

    WriteOutcome outcome = objects.replace(type, "default", "x", TWO, first);

    assertThat(outcome)
        .isInstanceOfSatisfying(
            Conflict.class, conflict -> assertThat(conflict.current()).isEqualTo(entry()));
  }

  @Test
  void replace_ofADeletedObjectWhoseHistoryIsGone_isOfUnknownOutcome() {
    long first = created(ONE);
    faults.nextWrite(
        Fault.LOSE_ANSWER,
        () -> {
          deleted();
          faults.compact(faults.revision());
        });

    assertThatExceptionOfType(StorageException.UnknownOutcome.class)
        .isThrownBy(() -> objects.replace(type, "default", "x", TWO, first));
  }

  @Test
  void delete_thatGetsLostWhileAnotherWritesAndDeletes_isMissing() {
    long first = created(ONE);
    faults.nextWrite(
        Fault.LOSE_REQUEST,
        () -> {
          overwrite(TWO);
          deleted();
        });

    assertThat(objects.delete(type, "default", "x", first)).isInstanceOf(Missing.class);
  }

  @Test
  void delete_whoseAnswerIsLost_isFoundToHaveHappened() {
    long first = created(ONE);
    faults.nextWrite(Fault.LOSE_ANSWER);

    assertThat(objects.delete(type, "default", "x", first)).isInstanceOf(Applied.class);
  }

  @Test
  void delete_whoseAnswerIsLostAndWhoseNameIsTakenAgain_isFoundToHaveHappened() {
    long first = created(ONE);
    faults.nextWrite(Fault.LOSE_ANSWER, () -> created(TWO));

    assertThat(objects.delete(type, "default", "x", first)).isInstanceOf(Applied.class);
    assertThat(entry().value()).isEqualTo(TWO);
  }

  @Test
  void delete_thatGetsLostWhileAnotherWrites_conflicts() {
    long first = created(ONE);
    faults.nextWrite(Fault.LOSE_REQUEST, () -> overwrite(TWO));

    assertThat(objects.delete(type, "default", "x", first)).isInstanceOf(Conflict.class);
  }

  @Test
  void write_thatCannotBeLookedUpAgain_isOfUnknownOutcomeWithBothReasons() {
    long first = created(ONE);
    faults.nextWrite(Fault.LOSE_ANSWER);
    faults.failReads(1);

    assertThatExceptionOfType(StorageException.UnknownOutcome.class)
        .isThrownBy(() -> objects.replace(type, "default", "x", TWO, first))
        .satisfies(
            e ->
                assertThat(e.getSuppressed())
                    .hasAtLeastOneElementOfType(StorageException.Unavailable.class));
  }

  @Test
  void write_thatTheStoreRefused_isPassedOn() {
    faults.nextWrite(Fault.REFUSE);

    assertThatExceptionOfType(StorageException.Unavailable.class)
        .isThrownBy(() -> objects.create(type, "default", "x", ONE));
  }

  private long created(Bytes value) {
    return applied(objects.create(type, "default", "x", value));
  }

  private void overwrite(Bytes value) {
    assertThat(objects.replace(type, "default", "x", value, entry().modRevision()))
        .isInstanceOf(Applied.class);
  }

  private void deleted() {
    applied(objects.delete(type, "default", "x", entry().modRevision()));
  }

  private Entry entry() {
    Entry entry = objects.get(type, "default", "x").entry();
    assertThat(entry).isNotNull();
    return java.util.Objects.requireNonNull(entry);
  }

  private static long applied(WriteOutcome outcome) {
    assertThat(outcome).isInstanceOf(Applied.class);
    return ((Applied) outcome).revision();
  }
}
