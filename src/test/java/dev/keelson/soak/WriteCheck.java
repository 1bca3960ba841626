package dev.keelson.soak;

import dev.keelson.soak.Operation.Create;
import dev.keelson.soak.Operation.Delete;
import dev.keelson.soak.Operation.Deleted;
import dev.keelson.soak.Operation.Found;
import dev.keelson.soak.Operation.Get;
import dev.keelson.soak.Operation.ListAll;
import dev.keelson.soak.Operation.Listed;
import dev.keelson.soak.Operation.Patch;
import dev.keelson.soak.Operation.Reason;
import dev.keelson.soak.Operation.Refused;
import dev.keelson.soak.Operation.Unknown;
import dev.keelson.soak.Operation.Update;
import dev.keelson.soak.Operation.Value;
import dev.keelson.soak.Operation.Written;
import dev.keelson.soak.WriteHistory.State;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.PriorityQueue;
import java.util.Set;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * Checks that operations are linearizable: that each can be given a moment between its beginning
 * and its end, so that their results are those of executing them one after the other.
 *
 * <p>For use by one thread, once.
 */
final class WriteCheck {

  /*
   * The order of the changes need not be searched for, as Wing and Gong's algorithm and those that
   * descend from it do: a revision is the witness of each. What is left is to place the operations
   * without a revision. The order is that of all objects together, which is more than
   * linearizability of each object requires, and what one counter of revisions promises.
   *
   * Moments are numbered: the change of revision r happens at 2r, whatever reads the state of r and
   * of no later revision happens at 2r + 1. An operation must not be placed before one that had
   * ended when it began. Operations are placed in the order of their beginnings, each as early as
   * its result allows. That decides whether there is a placement: an earlier moment never restricts
   * another operation more than a later one does.
   *
   * An operation without an answer restricts no other. If its token is found in the history, its
   * moment is known; if not, it has not happened, or its change was in a gap. Deletions have no
   * token: those that no answer claims are assigned to unanswered requests, one to one.
   */

  private final WriteHistory history;
  private final List<Operation> operations;

  /** The operations that write, by token. */
  private final Map<String, Operation> writers = new HashMap<>();

  /** The revisions of the changes, by token. */
  private final Map<String, Long> changes = new HashMap<>();

  /** The revisions of the deletions, by uid. */
  private final Map<String, Long> deletions = new HashMap<>();

  private final Set<String> claimed = new HashSet<>();

  /** The unanswered deletions with the earliest moment of each. */
  private final Map<Operation, Long> unanswered = new HashMap<>();

  private WriteCheck(WriteHistory history, List<Operation> operations) {
    this.history = history;
    this.operations = operations.stream().sorted(Comparator.comparing(Operation::begun)).toList();
  }

  /**
   * Checks operations against the recorded history.
   *
   * @throws AssertionError naming the first contradiction
   */
  static void check(WriteHistory history, List<Operation> operations) {
    WriteCheck check = new WriteCheck(history, operations);
    check.recordWriters();
    check.readHistory();
    check.checkAnswers();
    check.checkChanges();
    check.place();
    check.assignDeletions();
  }

  private void recordWriters() {
    for (Operation operation : operations) {
      if (operation.call() instanceof Operation.Change change) {
        require(writers.put(change.token(), operation) == null, operation, "reuses a token");
      }
      if (operation.outcome() instanceof Written written) {
        State state = history.at(operation.call().key(), written.revision());
        if (state.revision() != written.revision() && hidden(written.revision())) {
          history.addHidden(written.revision(), operation.call().key(), written.value());
        }
      }
    }
  }

  private void readHistory() {
    history
        .objects()
        .forEach((key, states) -> states.values().forEach(state -> readState(key, state)));
  }

  private void readState(String key, State state) {
    Value value = state.value();
    State before = history.before(key, state.revision());
    if (value != null) {
      Long other = changes.put(value.token(), state.revision());
      if (other != null) {
        throw new AssertionError(
            "the write of %s took effect at %d and at %d"
                .formatted(writers.get(value.token()), other, state.revision()));
      }
    } else if (before.value() != null
        && !history.uncertain(before.revision(), state.revision())
        && deletions.put(before.value().uid(), state.revision()) != null) {
      throw new AssertionError("the object of " + before + " was deleted twice");
    }
  }

  // ---- each answer, by itself

  private void checkAnswers() {
    for (Operation operation : operations) {
      switch (operation.outcome()) {
        case Written written -> {
          State state = history.at(operation.call().key(), written.revision());
          require(
              state.revision() == written.revision() && written.value().equals(state.value()),
              operation,
              "was answered, but its change was lost");
        }
        case Deleted deleted -> {
          boolean known = deletions.containsKey(deleted.uid());
          require(known || history.gaps() > 0, operation, "was answered, but its change was lost");
          claimed.add(deleted.uid());
        }
        case Refused ignored -> {
          if (operation.call() instanceof Operation.Change change) {
            require(
                !changes.containsKey(change.token()),
                operation,
                "was refused, but it has taken effect");
          }
        }
        case Found found -> {
          State state = history.at(operation.call().key(), found.revision());
          require(
              found.revision() == 0
                  || (state.revision() == found.revision() && state.value() != null)
                  || hidden(found.revision()),
              operation,
              "found a state that the object never had");
        }
        case Listed ignored -> {}
        case Unknown ignored -> {}
      }
    }
  }

  private boolean hidden(long revision) {
    return history.uncertain(revision - 1, revision);
  }

  // ---- each change, by itself

  private void checkChanges() {
    history
        .objects()
        .forEach(
            (key, states) ->
                states
                    .values()
                    .forEach(
                        state -> {
                          State before = history.before(key, state.revision());
                          boolean certain = !history.uncertain(before.revision(), state.revision());
                          checkChange(key, certain ? before : null, state);
                        }));
  }

  private void checkChange(String key, @Nullable State before, State state) {
    Value value = state.value();
    if (value == null) {
      checkChange(before == null || before.value() != null, key, state, "deletes nothing");
      return;
    }
    Operation writer = writers.get(value.token());
    if (writer == null || !writer.call().key().equals(key)) {
      throw contradiction(key, state, "is of no request");
    }
    if (writer.outcome() instanceof Written written) {
      checkChange(written.revision() == state.revision(), key, state, "has another revision");
    }
    switch (writer.call()) {
      case Create ignored -> {
        checkChange(value.base().equals(value.token()), key, state, "is not what was created");
        checkChange(before == null || before.value() == null, key, state, "creates what exists");
      }
      case Update update -> {
        checkChange(value.base().equals(value.token()), key, state, "is not what was sent");
        checkReplaced(key, before, state, update.expected());
      }
      case Patch patch -> {
        Value replaced = checkReplaced(key, before, state, patch.expected());
        checkChange(
            replaced == null || replaced.base().equals(value.base()),
            key,
            state,
            "patches an older state, and so undoes an update");
      }
      case Delete ignored -> throw new AssertionError("a deletion has no token");
      case Get ignored -> throw new AssertionError("a read has no token");
      case ListAll ignored -> throw new AssertionError("a read has no token");
    }
  }

  private @Nullable Value checkReplaced(
      String key, @Nullable State before, State state, long expected) {
    if (before == null) {
      return null;
    }
    Value replaced = before.value();
    Value value = state.value();
    checkChange(replaced != null, key, state, "brings back what was deleted");
    checkChange(
        replaced != null && value != null && replaced.uid().equals(value.uid()),
        key,
        state,
        "changes another object of the same name");
    checkChange(
        expected == 0 || expected == before.revision(),
        key,
        state,
        "replaces a state other than the required one");
    return replaced;
  }

  private void checkChange(boolean holds, String key, State state, String what) {
    if (!holds) {
      throw contradiction(key, state, what);
    }
  }

  private AssertionError contradiction(String key, State state, String what) {
    return new AssertionError(
        "the change of %s to %s %s; the states are %s"
            .formatted(key, state, what, history.around(key, state.revision())));
  }

  // ---- all operations in one order

  private record Placed(long ended, long moment) {}

  private void place() {
    PriorityQueue<Placed> ending = new PriorityQueue<>(Comparator.comparing(Placed::ended));
    long floor = 0;
    for (Operation operation : operations) {
      while (!ending.isEmpty() && ending.peek().ended < operation.begun()) {
        floor = Math.max(floor, ending.remove().moment);
      }
      long moment = moment(operation, floor);
      if (moment > 0 && !(operation.outcome() instanceof Unknown)) {
        ending.add(new Placed(operation.ended(), moment));
      }
    }
  }

  /** The earliest moment of an operation; 0 if it may have none. */
  private long moment(Operation operation, long floor) {
    return switch (operation.outcome()) {
      case Written written -> exactly(operation, 2 * written.revision(), floor);
      case Deleted deleted -> {
        Long revision = deletions.get(deleted.uid());
        if (revision == null) {
          yield 0;
        }
        if (operation.call() instanceof Delete delete && delete.expected() != 0) {
          require(
              history.before(delete.key(), revision).revision() == delete.expected(),
              operation,
              "deleted a state other than the required one, at " + revision);
        }
        yield exactly(operation, 2 * revision, floor);
      }
      case Unknown ignored -> {
        if (operation.call() instanceof Delete) {
          unanswered.put(operation, floor);
        }
        Long revision =
            operation.call() instanceof Operation.Change change
                ? changes.get(change.token())
                : null;
        yield revision == null ? 0 : exactly(operation, 2 * revision, floor);
      }
      case Listed listed -> exactly(operation, 2 * listed.revision() + 1, floor);
      case Found found ->
          read(
              operation,
              floor,
              found.revision() == 0
                  ? state -> state.value() == null
                  : state -> state.revision() == found.revision());
      case Refused refused -> refused(operation, refused.reason(), floor);
    };
  }

  private long exactly(Operation operation, long moment, long floor) {
    require(
        moment >= floor,
        operation,
        "took effect before " + (floor / 2) + ", which was known when it began");
    return moment;
  }

  private long refused(Operation operation, Reason reason, long floor) {
    return switch (reason) {
      case EXISTS -> read(operation, floor, state -> state.value() != null);
      case ABSENT -> read(operation, floor, state -> state.value() == null);
      case CONFLICT -> {
        long expected = expected(operation.call());
        yield expected == 0 ? 0 : read(operation, floor, state -> state.revision() != expected);
      }
      case NOT_TRIED -> 0;
    };
  }

  private static long expected(Operation.Call call) {
    return switch (call) {
      case Update update -> update.expected();
      case Patch patch -> patch.expected();
      case Delete delete -> delete.expected();
      case Create ignored -> 0;
      case Get ignored -> 0;
      case ListAll ignored -> 0;
    };
  }

  private long read(Operation operation, long floor, Predicate<State> required) {
    String key = operation.call().key();
    long revision = history.earliest(key, floor / 2, required);
    require(
        revision >= 0,
        operation,
        "saw a state older than "
            + (floor / 2)
            + ", which was known when it began; the states are "
            + history.around(key, floor / 2));
    return 2 * revision + 1;
  }

  // ---- deletions without an answer

  private void assignDeletions() {
    Map<Operation, String> assigned = new HashMap<>();
    history
        .objects()
        .forEach((key, states) -> states.values().forEach(state -> assign(key, state, assigned)));
  }

  private void assign(String key, State state, Map<Operation, String> assigned) {
    String uid = history.before(key, state.revision()).uid();
    if (state.value() != null || uid == null || claimed.contains(uid)) {
      return;
    }
    if (deletions.containsKey(uid) && !assign(key, uid, assigned, new HashSet<>())) {
      throw contradiction(key, state, "is of no request");
    }
  }

  /** Finds a request for a deletion, and if need be another one for the deletion that had it. */
  private boolean assign(
      String key, String uid, Map<Operation, String> assigned, Set<Operation> tried) {
    long revision = deletions.getOrDefault(uid, 0L);
    for (Operation operation : unanswered.keySet()) {
      long expected = expected(operation.call());
      if (!operation.call().key().equals(key)
          || unanswered.getOrDefault(operation, 0L) > 2 * revision
          || (expected != 0 && expected != history.before(key, revision).revision())
          || !tried.add(operation)) {
        continue;
      }
      String other = assigned.get(operation);
      if (other == null || assign(key, other, assigned, tried)) {
        assigned.put(operation, uid);
        return true;
      }
    }
    return false;
  }

  private static void require(boolean holds, Operation operation, String what) {
    if (!holds) {
      throw new AssertionError(operation + " " + what);
    }
  }
}
