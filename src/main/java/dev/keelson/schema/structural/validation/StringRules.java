package dev.keelson.schema.structural.validation;

import com.google.re2j.Pattern;
import com.google.re2j.PatternSyntaxException;
import dev.keelson.object.Node;
import dev.keelson.object.Node.MapNode;
import java.util.concurrent.atomic.AtomicReferenceArray;
import org.jspecify.annotations.Nullable;

/**
 * What a schema asks of strings. Patterns are compiled on first use. Short strings that have
 * matched are remembered: most values of a field recur, and RE2 pays for its linear time with a
 * microsecond or more a string. Safe for use by several threads.
 */
final class StringRules {

  /** A power of two. */
  private static final int REMEMBERED = 16;

  private static final int LONGEST_REMEMBERED = 128;

  private final long maxLength;
  private final long minLength;
  private final String pattern;
  private volatile @Nullable Pattern compiled;

  /** Strings that match, at their hash code; null until one does. */
  private volatile @Nullable AtomicReferenceArray<String> matching;

  private StringRules(long maxLength, long minLength, String pattern) {
    this.maxLength = maxLength;
    this.minLength = minLength;
    this.pattern = pattern;
  }

  /** The rules of a schema; null if there are none. */
  static @Nullable StringRules of(MapNode schema) {
    StringRules rules =
        new StringRules(
            Limits.of(schema, "maxLength"), Limits.of(schema, "minLength"), schema.text("pattern"));
    return rules.maxLength == Limits.NONE
            && rules.minLength == Limits.NONE
            && rules.pattern.isEmpty()
        ? null
        : rules;
  }

  /** Reports the first rule that {@code text} violates. */
  void check(Node.Text text, Place at, Findings findings) {
    String value = text.value();
    // the characters of most strings need not be counted
    if (maxLength != Limits.NONE
        && value.length() > maxLength
        && value.codePointCount(0, value.length()) > maxLength) {
      findings.tooLong(at, maxLength);
    } else if (minLength != Limits.NONE && value.codePointCount(0, value.length()) < minLength) {
      findings.invalid(at, text, "should be at least " + minLength + " chars long");
    } else if (!pattern.isEmpty()) {
      matches(text, at, findings);
    }
  }

  private void matches(Node.Text text, Place at, Findings findings) {
    Pattern expression = compiled;
    if (expression == null) {
      try {
        expression = Pattern.compile(pattern);
      } catch (PatternSyntaxException e) {
        findings.invalid(
            at,
            text,
            "should match '" + pattern + ", but pattern is invalid: " + e.getMessage() + "'");
        return;
      }
      compiled = expression;
    }
    String value = text.value();
    if (isRemembered(value)) {
      return;
    }
    if (!expression.matcher(value).find()) {
      findings.invalid(at, text, "should match '" + pattern + "'");
    } else {
      remember(value);
    }
  }

  private boolean isRemembered(String value) {
    AtomicReferenceArray<String> known = matching;
    return known != null && value.equals(known.getPlain(slot(value)));
  }

  private void remember(String value) {
    if (value.length() > LONGEST_REMEMBERED) {
      return;
    }
    AtomicReferenceArray<String> known = matching;
    if (known == null) {
      known = new AtomicReferenceArray<>(REMEMBERED);
      matching = known;
    }
    known.setPlain(slot(value), value);
  }

  private static int slot(String value) {
    int hash = value.hashCode();
    return (hash ^ (hash >>> 16)) & (REMEMBERED - 1);
  }
}
