package dev.keelson.cel.library;

import dev.cel.common.types.SimpleType;
import dev.keelson.cel.library.FunctionDeclarations.Type;

/** Kubernetes' CEL library of semantic versions. */
final class SemverFunctions {

  private static final Type<String> TEXT = new Type<>(SimpleType.STRING, String.class);
  private static final Type<Boolean> BOOL = new Type<>(SimpleType.BOOL, Boolean.class);
  private static final Type<Semver> SEMVER = new Type<>(Semver.TYPE, Semver.class);

  private SemverFunctions() {}

  static void addTo(FunctionDeclarations list) {
    list.global("semver", "string_to_semver", SEMVER.cel(), TEXT, Semver::parse)
        .global(
            "semver",
            "string_bool_to_semver",
            SEMVER.cel(),
            TEXT,
            BOOL,
            (text, normalize) -> normalize ? Semver.normalized(text) : Semver.parse(text))
        .global(
            "isSemver",
            "is_semver_string",
            SimpleType.BOOL,
            TEXT,
            text -> isSemver(text, /* normalize= */ false))
        .global(
            "isSemver",
            "is_semver_string_bool",
            SimpleType.BOOL,
            TEXT,
            BOOL,
            SemverFunctions::isSemver)
        .member("major", "semver_major", SimpleType.INT, SEMVER, Semver::major)
        .member("minor", "semver_minor", SimpleType.INT, SEMVER, Semver::minor)
        .member("patch", "semver_patch", SimpleType.INT, SEMVER, Semver::patch)
        .member(
            "isGreaterThan",
            "semver_is_greater_than",
            SimpleType.BOOL,
            SEMVER,
            SEMVER,
            (one, other) -> one.compareTo(other) > 0)
        .member(
            "isLessThan",
            "semver_is_less_than",
            SimpleType.BOOL,
            SEMVER,
            SEMVER,
            (one, other) -> one.compareTo(other) < 0)
        .member(
            "compareTo",
            "semver_compare_to",
            SimpleType.INT,
            SEMVER,
            SEMVER,
            (one, other) -> (long) Integer.signum(one.compareTo(other)));
  }

  private static boolean isSemver(String text, boolean normalize) {
    try {
      Semver unused = normalize ? Semver.normalized(text) : Semver.parse(text);
      return true;
    } catch (IllegalArgumentException no) {
      return false;
    }
  }
}
