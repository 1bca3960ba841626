package dev.keelson.schema.validation;

import dev.keelson.api.CauseList;
import dev.keelson.api.FieldCause;
import dev.keelson.object.Node;
import dev.keelson.object.Node.MapNode;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The causes to reject one object, in the order in which they are found (field.ErrorList). Those
 * beyond the bounds of {@link CauseList} are counted only.
 */
public final class Causes {

  private static final String MISSING = "FieldValueRequired";

  /** The message of one without a detail. */
  private static final String BARE = "Required value";

  /** By the cause itself; the first one that misses a field by its path. */
  private final Map<Object, FieldCause> found = new LinkedHashMap<>(0);

  /** Whether the rules of the kind are the only ones: what they report twice is there twice. */
  private final boolean repeating;

  private boolean withoutPrivileged;
  private boolean endsAtFirst;
  private @Nullable MapNode stored;

  /** The strings of {@link #stored}, null until one is asked for. */
  private @Nullable Set<String> storedTexts;

  private int characters;
  private int omitted;

  /** No causes yet; the same cause is added once. */
  public Causes() {
    this(false);
  }

  private Causes(boolean repeating) {
    this.repeating = repeating;
  }

  /** No causes yet; causes are added as often as they are reported. */
  public static Causes repeating() {
    return new Causes(true);
  }

  /** Thrown by the first cause of {@link #endingAtFirst}; has no stack, since it is no error. */
  static final class FoundException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    private FoundException() {
      super(null, null, /* enableSuppression= */ false, /* writableStackTrace= */ false);
    }
  }

  /** Ends the validation with {@link FoundException} at its first cause; returns this. */
  Causes endingAtFirst() {
    endsAtFirst = true;
    return this;
  }

  /** Makes privileged containers a cause; returns this. */
  Causes withoutPrivileged() {
    withoutPrivileged = true;
    return this;
  }

  /** The object is an update of {@code object}; returns this. */
  Causes ofUpdate(MapNode object) {
    stored = object;
    return this;
  }

  /** The object that is updated, null on create. */
  @Nullable MapNode stored() {
    return stored;
  }

  /**
   * Whether the object that is updated has the string {@code text} anywhere. Kubernetes lets stored
   * addresses stay that it would not take today, wherever in the object they go.
   */
  boolean isStored(String text) {
    if (stored == null) {
      return false;
    }
    Set<String> texts = storedTexts;
    if (texts == null) {
      texts = new HashSet<>();
      collect(stored, texts);
      storedTexts = texts;
    }
    return texts.contains(text);
  }

  private static void collect(Node node, Set<String> texts) {
    switch (node) {
      case Node.Text text -> texts.add(text.value());
      case Node.Items items -> {
        for (Node item : items.values()) {
          collect(item, texts);
        }
      }
      case MapNode map -> {
        for (int i = 0; i < map.size(); i++) {
          collect(map.valueAt(i), texts);
        }
      }
      case Node.Int _, Node.Decimal _, Node.Bool _, Node.Null _ -> {}
    }
  }

  /** Whether a container may be privileged. */
  boolean allowsPrivileged() {
    return !withoutPrivileged;
  }

  /**
   * Adds a cause; unless causes repeat, only if the same is not there already. Of two that miss the
   * same field, one without a detail gives way; the declared rules and those of the kind may both
   * miss it.
   */
  public void add(String reason, String message, String field) {
    if (endsAtFirst) {
      throw new FoundException();
    }
    if (full()) {
      omitted++;
      return;
    }
    FieldCause cause = new FieldCause(reason, message, field);
    Object key = repeating ? new Object() : reason.equals(MISSING) ? field : cause;
    FieldCause known = found.putIfAbsent(key, cause);
    if (known == null) {
      characters += message.length() + field.length();
    } else if (known.message().equals(BARE)) {
      found.put(key, cause);
    } else if (!known.equals(cause)
        && !message.equals(BARE)
        && found.putIfAbsent(cause, cause) == null) {
      characters += message.length() + field.length();
    }
  }

  /** Adds the causes from the one at {@code from} to before the one at {@code to} once more. */
  void repeat(int from, int to) {
    if (from == to) {
      return;
    }
    List<FieldCause> again = found.values().stream().limit(to).skip(from).toList();
    for (FieldCause cause : again) {
      if (full()) {
        omitted++;
      } else {
        found.put(new Object(), cause);
        characters += cause.message().length() + cause.field().length();
      }
    }
  }

  /** Whether further causes are dropped, so that their text need not be built. */
  boolean full() {
    return found.size() >= CauseList.MOST || characters >= CauseList.MOST_CHARACTERS;
  }

  /** The number of causes, with those that are not told. */
  public int count() {
    return found.size() + omitted;
  }

  /** The causes, in the order in which they were found, within the bounds of {@link CauseList}. */
  public List<FieldCause> found() {
    if (found.isEmpty()) {
      return List.of();
    }
    CauseList list = new CauseList();
    list.addAll(found.values());
    list.omit(omitted);
    return List.copyOf(list);
  }
}
