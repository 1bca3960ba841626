package dev.keelson.soak;

import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.keelson.soak.Operation.Call;
import dev.keelson.soak.Operation.Create;
import dev.keelson.soak.Operation.Delete;
import dev.keelson.soak.Operation.Deleted;
import dev.keelson.soak.Operation.Found;
import dev.keelson.soak.Operation.Get;
import dev.keelson.soak.Operation.ListAll;
import dev.keelson.soak.Operation.Listed;
import dev.keelson.soak.Operation.Outcome;
import dev.keelson.soak.Operation.Patch;
import dev.keelson.soak.Operation.Reason;
import dev.keelson.soak.Operation.Refused;
import dev.keelson.soak.Operation.Unknown;
import dev.keelson.soak.Operation.Update;
import dev.keelson.soak.Operation.Value;
import dev.keelson.soak.Operation.Written;
import dev.keelson.soak.WriteHistory.State;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** Tests that the check accepts every linearizable history, and no other. */
class WriteCheckTest {

  private static final String KEY = "soak-0/a";
  private static final Unknown UNKNOWN = new Unknown();
  private static final Value FIRST = new Value("u1", "t1", "t1");
  private static final Value PATCHED = new Value("u1", "t2", "t1");

  private final WriteHistory history = new WriteHistory();
  private final List<Operation> operations = new ArrayList<>();

  private void happened(long begun, long ended, Call call, Outcome outcome) {
    operations.add(new Operation(call, outcome, begun, ended));
  }

  private void change(long revision, Value value) {
    history.change(revision, KEY, value);
  }

  private void deletion(long revision) {
    history.change(revision, KEY, null);
  }

  /** An object that is created at 10 and patched at 12. */
  private void createdAndPatched() {
    change(10, FIRST);
    change(12, PATCHED);
    happened(1, 2, new Create(KEY, "t1"), new Written(10, FIRST));
    happened(3, 4, new Patch(KEY, "t2", 0), new Written(12, PATCHED));
  }

  private void accepts() {
    assertThatCode(() -> WriteCheck.check(history, operations)).doesNotThrowAnyException();
  }

  private void rejects(String why) {
    assertThatThrownBy(() -> WriteCheck.check(history, operations))
        .isInstanceOf(AssertionError.class)
        .hasMessageContaining(why);
  }

  // ---- what may happen

  @Test
  void operationsOneAfterTheOther_areLinearizable() {
    createdAndPatched();
    deletion(14);
    happened(5, 6, new Get(KEY), new Found(12));
    happened(7, 8, new Create(KEY, "t3"), new Refused(Reason.EXISTS));
    happened(9, 10, new Update(KEY, "t4", 10), new Refused(Reason.CONFLICT));
    happened(11, 12, new Delete(KEY, 12), new Deleted("u1"));
    happened(13, 14, new Patch(KEY, "t5", 0), new Refused(Reason.ABSENT));
    happened(15, 16, new Get(KEY), new Found(0));
    happened(17, 18, new ListAll(), new Listed(15));

    accepts();
  }

  @Test
  void reads_atTheSameTimeAsAWrite_mayBeOnEitherSide() {
    createdAndPatched();
    happened(3, 5, new Get(KEY), new Found(10));
    happened(3, 4, new Get(KEY), new Found(12));
    happened(1, 9, new Get(KEY), new Found(0));

    accepts();
  }

  @Test
  void unansweredWrites_mayHappenLater_orNever() {
    createdAndPatched();
    change(20, new Value("u1", "t3", "t3"));
    happened(5, 6, new Update(KEY, "t3", 12), UNKNOWN);
    happened(5, 6, new Update(KEY, "t4", 12), UNKNOWN);
    happened(7, 8, new Get(KEY), new Found(12));
    happened(9, 10, new Get(KEY), new Found(20));

    accepts();
  }

  @Test
  void unansweredDeletions_areAssignedToDeletions() {
    createdAndPatched();
    deletion(14);
    change(16, new Value("u2", "t3", "t3"));
    deletion(18);
    happened(5, 6, new Create(KEY, "t3"), new Written(16, new Value("u2", "t3", "t3")));
    // the one that may only have deleted the first, and one that may have deleted both
    happened(5, 6, new Delete(KEY, 0), UNKNOWN);
    happened(5, 6, new Delete(KEY, 12), UNKNOWN);

    accepts();
  }

  @Test
  void writesInAGap_areKnownFromTheirAnswers() {
    createdAndPatched();
    Value updated = new Value("u1", "t4", "t4");
    history.gap(12, 20, Map.of(KEY, new State(18, updated)));
    happened(5, 6, new Update(KEY, "t3", 0), new Written(15, new Value("u1", "t3", "t3")));
    happened(7, 8, new Update(KEY, "t4", 0), UNKNOWN);
    happened(9, 10, new Get(KEY), new Found(0));

    accepts();
  }

  @Test
  void twoAnsweredDeletionsOfOneObject_mayShareIt_whileBothAreInFlight() {
    createdAndPatched();
    deletion(14);
    happened(5, 8, new Delete(KEY, 0), new Deleted("u1"));
    happened(5, 7, new Delete(KEY, 0), new Deleted("u1"));

    accepts();
  }

  // ---- what may not

  @Test
  void aDeletionOfWhatIsKnownToBeGone_isAContradiction() {
    createdAndPatched();
    deletion(14);
    happened(5, 6, new Delete(KEY, 0), new Deleted("u1"));
    happened(7, 8, new ListAll(), new Listed(15));
    happened(9, 10, new Delete(KEY, 0), new Deleted("u1"));

    rejects("took effect before 15");
  }

  @Test
  void aLostWrite_isAContradiction() {
    createdAndPatched();
    Value lost = new Value("u1", "t3", "t1");
    happened(5, 6, new Patch(KEY, "t3", 0), new Written(13, lost));

    rejects("its change was lost");
  }

  @Test
  void aWriteWithOtherContentThanAnswered_isAContradiction() {
    createdAndPatched();
    change(14, new Value("u1", "t3", "t1"));
    happened(5, 6, new Patch(KEY, "t3", 0), new Written(14, new Value("u1", "t3", "other")));

    rejects("its change was lost");
  }

  @Test
  void aLostDeletion_isAContradiction() {
    createdAndPatched();
    happened(5, 6, new Delete(KEY, 0), new Deleted("u1"));

    rejects("its change was lost");
  }

  @Test
  void aRefusedWriteThatHappened_isAContradiction() {
    createdAndPatched();
    change(14, new Value("u1", "t3", "t3"));
    happened(5, 6, new Update(KEY, "t3", 12), new Refused(Reason.CONFLICT));

    rejects("has taken effect");
  }

  @Test
  void aWriteThatHappensTwice_isAContradiction() {
    createdAndPatched();
    change(14, new Value("u1", "t3", "t3"));
    change(16, new Value("u1", "t4", "t4"));
    change(18, new Value("u1", "t3", "t3"));
    happened(5, 6, new Update(KEY, "t3", 0), UNKNOWN);
    happened(5, 6, new Update(KEY, "t4", 0), UNKNOWN);

    rejects("took effect at 14 and at 18");
  }

  @Test
  void aWriteThatHappensBeforeItsRequest_isAContradiction() {
    createdAndPatched();
    change(14, new Value("u1", "t3", "t3"));
    happened(5, 6, new Get(KEY), new Found(14));
    happened(7, 8, new Update(KEY, "t3", 0), new Written(14, new Value("u1", "t3", "t3")));

    rejects("took effect before 14");
  }

  @Test
  void aRevisionBelowAnOlderOne_isAContradiction() {
    createdAndPatched();
    Value other = new Value("u2", "t3", "t3");
    history.change(11, "soak-0/b", other);
    happened(5, 6, new Create("soak-0/b", "t3"), new Written(11, other));

    rejects("took effect before 12");
  }

  @Test
  void aStaleGet_isAContradiction() {
    createdAndPatched();
    happened(5, 6, new Get(KEY), new Found(10));

    rejects("saw a state older than 12");
  }

  @Test
  void aGetOlderThanAnotherClients_isAContradiction() {
    createdAndPatched();
    change(14, new Value("u1", "t3", "t3"));
    happened(5, 20, new Update(KEY, "t3", 0), new Written(14, new Value("u1", "t3", "t3")));
    happened(6, 7, new Get(KEY), new Found(14));
    happened(8, 9, new Get(KEY), new Found(12));

    rejects("saw a state older than 14");
  }

  @Test
  void anAbsenceWhileTheObjectIsThere_isAContradiction() {
    createdAndPatched();
    happened(5, 6, new Update(KEY, "t3", 0), new Refused(Reason.ABSENT));

    rejects("saw a state older than 12");
  }

  @Test
  void aStaleList_isAContradiction() {
    createdAndPatched();
    happened(5, 6, new ListAll(), new Listed(11));

    rejects("took effect before 12");
  }

  @Test
  void aConflictWithTheStateThatIsThere_isAContradiction() {
    createdAndPatched();
    happened(5, 6, new Update(KEY, "t3", 12), new Refused(Reason.CONFLICT));

    rejects("saw a state older than 12");
  }

  @Test
  void anUpdateOfAnotherStateThanRequired_isAContradiction() {
    createdAndPatched();
    change(14, new Value("u1", "t3", "t3"));
    happened(3, 6, new Update(KEY, "t3", 10), new Written(14, new Value("u1", "t3", "t3")));

    rejects("other than the required one");
  }

  @Test
  void aDeletionOfAnotherStateThanRequired_isAContradiction() {
    createdAndPatched();
    deletion(14);
    happened(5, 6, new Delete(KEY, 10), new Deleted("u1"));

    rejects("other than the required one");
  }

  @Test
  void anUpdateAfterTheDeletion_isAContradiction() {
    createdAndPatched();
    deletion(14);
    change(16, new Value("u1", "t3", "t3"));
    happened(5, 6, new Delete(KEY, 0), new Deleted("u1"));
    happened(5, 6, new Update(KEY, "t3", 0), UNKNOWN);

    rejects("brings back what was deleted");
  }

  @Test
  void aCreateOfWhatExists_isAContradiction() {
    createdAndPatched();
    change(14, new Value("u2", "t3", "t3"));
    happened(5, 6, new Create(KEY, "t3"), UNKNOWN);

    rejects("creates what exists");
  }

  @Test
  void aPatchOfAnOlderState_isAContradiction() {
    createdAndPatched();
    change(14, new Value("u1", "t3", "t3"));
    change(16, new Value("u1", "t4", "t1"));
    happened(5, 6, new Update(KEY, "t3", 0), UNKNOWN);
    happened(5, 6, new Patch(KEY, "t4", 0), UNKNOWN);

    rejects("undoes an update");
  }

  @Test
  void aChangeThatNobodyRequested_isAContradiction() {
    createdAndPatched();
    change(14, new Value("u1", "t3", "t3"));

    rejects("is of no request");
  }

  @Test
  void aDeletionThatNobodyRequested_isAContradiction() {
    createdAndPatched();
    deletion(14);
    happened(5, 6, new Delete(KEY, 0), new Refused(Reason.CONFLICT));

    rejects("is of no request");
  }

  @Test
  void moreDeletionsThanRequests_areAContradiction() {
    createdAndPatched();
    deletion(14);
    change(16, new Value("u2", "t3", "t3"));
    deletion(18);
    happened(5, 6, new Create(KEY, "t3"), new Written(16, new Value("u2", "t3", "t3")));
    happened(5, 6, new Delete(KEY, 0), UNKNOWN);

    rejects("is of no request");
  }

  @Test
  void aDeletionBeforeItsRequest_isAContradiction() {
    createdAndPatched();
    deletion(14);
    happened(5, 6, new ListAll(), new Listed(14));
    happened(7, 8, new Delete(KEY, 0), UNKNOWN);

    rejects("is of no request");
  }
}
