package dev.keelson.schema.validation;

import dev.keelson.api.FieldCause;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** The causes to reject one object, in the order in which they are found (field.ErrorList). */
public final class Causes {

  private static final String MISSING = "FieldValueRequired";

  /** The message of one without a detail. */
  private static final String BARE = "Required value";

  /**
   * Limit for all messages and paths together, in characters: an object of some megabytes could
   * have hundreds of thousands of causes.
   */
  private static final int MOST_CHARACTERS = 8 << 20;

  /** By the cause itself; the first one that misses a field by its path. */
  private final Map<Object, FieldCause> found = new LinkedHashMap<>(0);

  /** Whether the rules of the kind are the only ones: what they report twice is there twice. */
  private final boolean repeating;

  private int characters;

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

  /**
   * Adds a cause; unless causes repeat, only if the same is not there already. Of two that miss the
   * same field, one without a detail gives way; the declared rules and those of the kind may both
   * miss it.
   */
  public void add(String reason, String message, String field) {
    if (full()) {
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

  /** Whether further causes are dropped, so that their text need not be built. */
  boolean full() {
    return characters >= MOST_CHARACTERS;
  }

  /** The number of causes. */
  public int count() {
    return found.size();
  }

  /** The causes, in the order in which they were found. */
  public List<FieldCause> found() {
    return List.copyOf(found.values());
  }
}
