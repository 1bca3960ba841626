package dev.keelson.schema.structural.validation;

import dev.keelson.api.CauseList;
import dev.keelson.api.FieldCause;
import dev.keelson.object.Node;
import dev.keelson.schema.structural.ShownValue;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/**
 * The causes to reject a value, in the order in which they are found, each once and within the
 * bounds of {@link CauseList}. Used by one thread.
 */
final class Findings {

  /** The field of a cause that concerns no single field. */
  static final String NO_FIELD = "<nil>";

  private final List<FieldCause> causes = new ArrayList<>(0);
  private final Set<String> messages = new HashSet<>(0);
  private final String base;

  /** All that was found, including what was left out for its size. */
  private int count;

  /** What was left out, without those that are listed already. */
  private int omitted;

  private int characters;

  /**
   * How much was found at one time.
   *
   * @param listed the number of causes
   * @param omitted what was left out
   */
  record Mark(int count, int listed, int omitted) {}

  /**
   * No causes.
   *
   * @param base the path of the value that is validated, empty for a whole object
   */
  Findings(String base) {
    this.base = base;
  }

  /** An empty list for the same value. */
  Findings alternative() {
    return new Findings(base);
  }

  boolean isEmpty() {
    return count == 0;
  }

  List<FieldCause> causes() {
    CauseList list = new CauseList();
    list.addAll(causes);
    list.omit(omitted);
    return List.copyOf(list);
  }

  Mark mark() {
    return new Mark(count, causes.size(), omitted);
  }

  boolean hasMoreThan(Mark mark) {
    return count > mark.count;
  }

  /** Forgets what was found since. */
  void forget(Mark mark) {
    while (causes.size() > mark.listed) {
      FieldCause last = causes.removeLast();
      messages.remove(last.summary());
      characters -= size(last);
    }
    count = mark.count;
    omitted = mark.omitted;
  }

  void addAll(Findings others) {
    others.causes.forEach(this::add);
    count += others.count - others.causes.size();
    omitted += others.omitted;
  }

  private void add(FieldCause cause) {
    if (full()) {
      return;
    }
    count++;
    if (messages.add(cause.summary())) {
      causes.add(cause);
      characters += size(cause);
    }
  }

  private static int size(FieldCause cause) {
    return cause.message().length() + cause.field().length();
  }

  /** Whether no more is listed; what was found then is counted here. */
  private boolean full() {
    if (causes.size() < CauseList.MOST && characters < CauseList.MOST_CHARACTERS) {
      return false;
    }
    count++;
    omitted++;
    return true;
  }

  /** The field of a cause that concerns a place. */
  String field(Place at) {
    String path = at.text();
    if (base.isEmpty()) {
      return path.isEmpty() ? NO_FIELD : path;
    }
    return path.isEmpty() || path.startsWith("[") ? base + path : base + "." + path;
  }

  /** A value of the wrong type; {@code found} is the name of its type or the value itself. */
  void wrongType(Place at, String expected, String found) {
    if (!full()) {
      String shown = ShownValue.of(Node.text(found));
      add(
          new FieldCause(
              "FieldValueTypeInvalid",
              "Invalid value: "
                  + shown
                  + ": "
                  + at.text()
                  + " in body must be of type "
                  + expected
                  + ": "
                  + shown,
              field(at)));
    }
  }

  /**
   * An invalid value.
   *
   * @param problem what follows {@code in body}
   */
  void invalid(Place at, Node value, String problem) {
    invalid(at, at, value, problem);
  }

  /** An invalid value of which the message names another place. */
  void invalid(Place at, Place named, Node value, String problem) {
    if (!full()) {
      add(
          new FieldCause(
              "FieldValueInvalid",
              "Invalid value: "
                  + ShownValue.of(value)
                  + ": "
                  + named.text()
                  + " in body "
                  + problem,
              field(at)));
    }
  }

  /** A problem of which Kubernetes does not tell the field. */
  void withoutField(String problem) {
    if (!full()) {
      add(
          new FieldCause(
              "FieldValueInvalid",
              "Invalid value: \"\": " + problem,
              base.isEmpty() ? NO_FIELD : base));
    }
  }

  void required(Place at) {
    if (!full()) {
      add(FieldCause.required(field(at), ""));
    }
  }

  void unsupported(Place at, Node value, String supported) {
    if (!full()) {
      add(
          new FieldCause(
              "FieldValueNotSupported",
              "Unsupported value: " + ShownValue.of(value) + ": supported values: " + supported,
              field(at)));
    }
  }

  void tooLong(Place at, long most) {
    if (!full()) {
      add(
          new FieldCause(
              "FieldValueTooLong",
              "Too long: may not be more than " + most + (most == 1 ? " byte" : " bytes"),
              field(at)));
    }
  }

  void tooMany(Place at, long found, long most) {
    if (!full()) {
      add(
          new FieldCause(
              "FieldValueTooMany",
              "Too many: "
                  + found
                  + ": must have at most "
                  + most
                  + (most == 1 ? " item" : " items"),
              field(at)));
    }
  }

  void duplicate(Place at, Node value) {
    if (!full()) {
      add(
          new FieldCause(
              "FieldValueDuplicate", "Duplicate value: " + ShownValue.of(value), field(at)));
    }
  }

  /** An invalid value with a message that does not name its place. */
  void invalidValue(Place at, Node value, String detail) {
    if (!full()) {
      add(
          new FieldCause(
              "FieldValueInvalid",
              "Invalid value: " + ShownValue.of(value) + ": " + detail,
              field(at)));
    }
  }

  /** Causes that other rules found. */
  void addAll(List<FieldCause> found) {
    found.forEach(this::add);
  }
}
