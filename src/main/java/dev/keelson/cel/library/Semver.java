package dev.keelson.cel.library;

import dev.cel.common.types.CelType;
import dev.cel.common.types.OpaqueType;
import dev.keelson.cel.type.LibraryValue;
import dev.keelson.value.GoQuote;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * A semantic version (semver.org 2.0.0). Build metadata does not take part in comparisons and
 * equality.
 */
public record Semver(
    long major, long minor, long patch, List<String> preRelease, List<String> build)
    implements Comparable<Semver>, LibraryValue {

  /** Its type in expressions. */
  static final CelType TYPE = OpaqueType.create("kubernetes.Semver");

  private static final Pattern IDENTIFIER = Pattern.compile("[0-9A-Za-z-]+");
  private static final Pattern DIGITS = Pattern.compile("[0-9]+");

  public Semver {
    preRelease = List.copyOf(preRelease);
    build = List.copyOf(build);
  }

  /**
   * Parses a version.
   *
   * @throws IllegalArgumentException with the words of the Go library that Kubernetes uses
   */
  public static Semver parse(String text) {
    if (text.isEmpty()) {
      throw new IllegalArgumentException("Version string empty");
    }
    String[] parts = text.split("\\.", 3);
    if (parts.length != 3) {
      throw new IllegalArgumentException("No Major.Minor.Patch elements found");
    }
    long major = number("Major", parts[0]);
    long minor = number("Minor", parts[1]);
    String rest = parts[2];
    List<String> build = List.of();
    int plus = rest.indexOf('+');
    if (plus >= 0) {
      build = Arrays.asList(rest.substring(plus + 1).split("\\.", -1));
      rest = rest.substring(0, plus);
    }
    List<String> preRelease = List.of();
    int dash = rest.indexOf('-');
    if (dash >= 0) {
      preRelease = Arrays.asList(rest.substring(dash + 1).split("\\.", -1));
      rest = rest.substring(0, dash);
    }
    long patch = number("Patch", rest);
    preRelease.forEach(Semver::checkPreRelease);
    build.forEach(identifier -> checkIdentifier("Build meta data", identifier));
    return new Semver(major, minor, patch, preRelease, build);
  }

  /**
   * Parses a version that may begin with {@code v}, lack minor and patch numbers and have leading
   * zeros.
   */
  static Semver normalized(String text) {
    String[] parts = (text.startsWith("v") ? text.substring(1) : text).split("\\.", 3);
    for (int i = 0; i < parts.length; i++) {
      parts[i] = withoutZeros(parts[i]);
    }
    List<String> all = new ArrayList<>(Arrays.asList(parts));
    String last = all.getLast();
    if (all.size() < 3 && (last.contains("+") || last.contains("-"))) {
      throw new IllegalArgumentException("short version cannot contain PreRelease/Build meta data");
    }
    while (all.size() < 3) {
      all.add("0");
    }
    return parse(String.join(".", all));
  }

  private static String withoutZeros(String part) {
    if (part.length() <= 1) {
      return part;
    }
    int first = 0;
    while (first < part.length() && part.charAt(first) == '0') {
      first++;
    }
    String rest = part.substring(first);
    return rest.isEmpty() || rest.charAt(0) < '0' || rest.charAt(0) > '9' ? "0" + rest : rest;
  }

  private static boolean leadingZero(String digits) {
    return digits.length() > 1 && digits.charAt(0) == '0';
  }

  private static long number(String what, String digits) {
    if (!digits.isEmpty() && !isNumber(digits)) {
      throw wrong("Invalid character(s) found in " + lower(what) + " number", digits);
    }
    if (leadingZero(digits)) {
      throw wrong(what + " number must not contain leading zeroes", digits);
    }
    return unsigned(digits);
  }

  private static boolean isNumber(String text) {
    return DIGITS.matcher(text).matches();
  }

  private static long unsigned(String digits) {
    try {
      return Long.parseUnsignedLong(digits);
    } catch (NumberFormatException e) {
      throw new IllegalArgumentException(
          "strconv.ParseUint: parsing "
              + GoQuote.quote(digits)
              + (digits.isEmpty() ? ": invalid syntax" : ": value out of range"),
          e);
    }
  }

  private static void checkPreRelease(String identifier) {
    if (!isNumber(identifier)) {
      checkIdentifier("Prerelease", identifier);
      return;
    }
    if (leadingZero(identifier)) {
      throw wrong("Numeric PreRelease version must not contain leading zeroes", identifier);
    }
    long unused = unsigned(identifier);
  }

  private static void checkIdentifier(String what, String identifier) {
    if (identifier.isEmpty()) {
      throw new IllegalArgumentException(what + " is empty");
    }
    if (!IDENTIFIER.matcher(identifier).matches()) {
      throw wrong("Invalid character(s) found in " + lower(what), identifier);
    }
  }

  private static String lower(String what) {
    return what.toLowerCase(Locale.ROOT);
  }

  private static IllegalArgumentException wrong(String problem, String text) {
    return new IllegalArgumentException(problem + " " + GoQuote.quote(text));
  }

  @Override
  public boolean equals(@Nullable Object other) {
    return other instanceof Semver version && compareTo(version) == 0;
  }

  @Override
  public int hashCode() {
    return Objects.hash(major, minor, patch, preRelease);
  }

  @Override
  public int compareTo(Semver other) {
    int order = Long.compareUnsigned(major, other.major);
    if (order == 0) {
      order = Long.compareUnsigned(minor, other.minor);
    }
    if (order == 0) {
      order = Long.compareUnsigned(patch, other.patch);
    }
    return order == 0 ? comparePreReleases(other) : order;
  }

  private int comparePreReleases(Semver other) {
    if (preRelease.isEmpty() || other.preRelease.isEmpty()) {
      // a version without pre-release follows those with one
      return Boolean.compare(preRelease.isEmpty(), other.preRelease.isEmpty());
    }
    int length = Math.min(preRelease.size(), other.preRelease.size());
    for (int i = 0; i < length; i++) {
      int order = compareIdentifiers(preRelease.get(i), other.preRelease.get(i));
      if (order != 0) {
        return order;
      }
    }
    return Integer.compare(preRelease.size(), other.preRelease.size());
  }

  private static int compareIdentifiers(String one, String other) {
    boolean number = isNumber(one);
    boolean otherNumber = isNumber(other);
    if (number != otherNumber) {
      return number ? -1 : 1;
    }
    if (number && one.length() != other.length()) {
      return Integer.compare(one.length(), other.length());
    }
    return one.compareTo(other);
  }

  @Override
  public CelType celType() {
    return TYPE;
  }
}
