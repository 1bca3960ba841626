package dev.keelson.value;

import java.util.UUID;

/**
 * A uid in a third of the memory of its text. Every uid that Kubernetes gives is a UUID; one in an
 * owner reference may be any text.
 */
public sealed interface Uid {

  /** The uid with this text. */
  static Uid of(String text) {
    if (text.length() != UUID_LENGTH) {
      return new Other(text);
    }
    long high = 0;
    long low = 0;
    for (int i = 0; i < UUID_LENGTH; i++) {
      char c = text.charAt(i);
      if (i == 8 || i == 13 || i == 18 || i == 23) {
        if (c != '-') {
          return new Other(text);
        }
        continue;
      }
      int digit = c >= '0' && c <= '9' ? c - '0' : c >= 'a' && c <= 'f' ? c - 'a' + 10 : -1;
      if (digit < 0) {
        return new Other(text);
      }
      if (i < 18) {
        high = high << 4 | digit;
      } else {
        low = low << 4 | digit;
      }
    }
    return Uuid.RECENT.of(new Uuid(high, low));
  }

  /** The length of a UUID's text. */
  int UUID_LENGTH = 36;

  /** The text. */
  @Override
  String toString();

  /** A UUID in lower case, by its two halves. */
  record Uuid(long high, long low) implements Uid {

    /** What is kept of an object, and of those that it owns, repeats its uid. */
    private static final SharedInstances<Uuid> RECENT = new SharedInstances<>();

    @Override
    public String toString() {
      return new UUID(high, low).toString();
    }
  }

  /** Any other text. */
  record Other(String text) implements Uid {
    @Override
    public String toString() {
      return text;
    }
  }
}
