package dev.keelson.cel.library;

import com.google.re2j.Matcher;
import dev.cel.common.types.ListType;
import dev.cel.common.types.SimpleType;
import dev.keelson.cel.library.FunctionDeclarations.Type;
import dev.keelson.cel.type.Patterns;
import java.util.ArrayList;
import java.util.List;

/** Kubernetes' CEL library of regular expressions: {@code find} and {@code findAll}. */
final class RegexFunctions {

  private static final Type<String> TEXT = new Type<>(SimpleType.STRING, String.class);
  private static final Type<Long> INT = new Type<>(SimpleType.INT, Long.class);
  private static final ListType TEXTS = ListType.create(SimpleType.STRING);

  private RegexFunctions() {}

  static void addTo(FunctionDeclarations list) {
    list.member("find", "string_find_string", SimpleType.STRING, TEXT, TEXT, RegexFunctions::find)
        .member(
            "findAll",
            "string_find_all_string",
            TEXTS,
            TEXT,
            TEXT,
            (text, pattern) -> findAll(text, pattern, -1))
        .member(
            "findAll",
            "string_find_all_string_int",
            TEXTS,
            TEXT,
            TEXT,
            INT,
            arguments ->
                findAll((String) arguments[0], (String) arguments[1], (Long) arguments[2]));
  }

  private static String find(String text, String pattern) {
    Matcher matcher = matcher(text, pattern);
    return matcher.find() ? matcher.group() : "";
  }

  /**
   * @param most the maximum number of matches; negative for all
   */
  private static List<String> findAll(String text, String pattern, long most) {
    Matcher matcher = matcher(text, pattern);
    List<String> found = new ArrayList<>();
    int end = -1;
    while ((most < 0 || found.size() < most) && matcher.find()) {
      // as in Go, nothing is not found right after another match
      if (matcher.end() > matcher.start() || matcher.start() != end) {
        found.add(matcher.group());
      }
      end = matcher.end();
    }
    return found;
  }

  private static Matcher matcher(String text, String pattern) {
    try {
      return Patterns.compile(pattern).matcher(text);
    } catch (IllegalArgumentException e) {
      throw new IllegalArgumentException("Illegal regex: " + e.getMessage(), e);
    }
  }
}
