package dev.keelson.cel.library;

import com.google.common.collect.ImmutableList;
import com.google.re2j.Matcher;
import com.google.re2j.Pattern;
import com.google.re2j.PatternSyntaxException;
import dev.cel.common.CelFunctionDecl;
import dev.cel.common.CelOverloadDecl;
import dev.cel.common.types.ListType;
import dev.cel.common.types.SimpleType;
import dev.cel.common.types.TypeParamType;
import dev.cel.runtime.CelFunctionBinding;
import java.util.ArrayList;
import java.util.List;

/**
 * Functions of Kubernetes' CEL libraries that the CEL library lacks: {@code find} and {@code
 * findAll} of strings, {@code isSorted}, {@code sum}, {@code min}, {@code max}, {@code indexOf} and
 * {@code lastIndexOf} of lists.
 */
final class KubernetesFunctions {

  private static final TypeParamType ITEM = TypeParamType.create("T");
  private static final ListType LIST = ListType.create(ITEM);
  private static final ListType TEXTS = ListType.create(SimpleType.STRING);

  private KubernetesFunctions() {}

  static ImmutableList<CelFunctionDecl> declarations() {
    return ImmutableList.of(
        CelFunctionDecl.newFunctionDeclaration(
            "find",
            CelOverloadDecl.newMemberOverload(
                "string_find_string", SimpleType.STRING, SimpleType.STRING, SimpleType.STRING)),
        CelFunctionDecl.newFunctionDeclaration(
            "findAll",
            CelOverloadDecl.newMemberOverload(
                "string_find_all_string", TEXTS, SimpleType.STRING, SimpleType.STRING),
            CelOverloadDecl.newMemberOverload(
                "string_find_all_string_int",
                TEXTS,
                SimpleType.STRING,
                SimpleType.STRING,
                SimpleType.INT)),
        CelFunctionDecl.newFunctionDeclaration(
            "isSorted",
            CelOverloadDecl.newMemberOverload("list_is_sorted_bool", SimpleType.BOOL, LIST)),
        CelFunctionDecl.newFunctionDeclaration(
            "sum", CelOverloadDecl.newMemberOverload("list_sum", ITEM, LIST)),
        CelFunctionDecl.newFunctionDeclaration(
            "min", CelOverloadDecl.newMemberOverload("list_min_self", ITEM, LIST)),
        CelFunctionDecl.newFunctionDeclaration(
            "max", CelOverloadDecl.newMemberOverload("list_max_self", ITEM, LIST)),
        CelFunctionDecl.newFunctionDeclaration(
            "indexOf",
            CelOverloadDecl.newMemberOverload("list_index_of", SimpleType.INT, LIST, ITEM)),
        CelFunctionDecl.newFunctionDeclaration(
            "lastIndexOf",
            CelOverloadDecl.newMemberOverload("list_last_index_of", SimpleType.INT, LIST, ITEM)));
  }

  static ImmutableList<CelFunctionBinding> bindings() {
    return ImmutableList.of(
        CelFunctionBinding.from(
            "string_find_string", String.class, String.class, KubernetesFunctions::find),
        CelFunctionBinding.from(
            "string_find_all_string",
            String.class,
            String.class,
            (text, pattern) -> findAll(text, pattern, -1)),
        CelFunctionBinding.from(
            "string_find_all_string_int",
            ImmutableList.of(String.class, String.class, Long.class),
            arguments ->
                findAll((String) arguments[0], (String) arguments[1], (Long) arguments[2])),
        CelFunctionBinding.from("list_is_sorted_bool", List.class, KubernetesFunctions::isSorted),
        CelFunctionBinding.from("list_sum", List.class, KubernetesFunctions::sum),
        CelFunctionBinding.from("list_min_self", List.class, list -> extreme("min", list, -1)),
        CelFunctionBinding.from("list_max_self", List.class, list -> extreme("max", list, 1)),
        CelFunctionBinding.from(
            "list_index_of", List.class, Object.class, (list, item) -> (long) list.indexOf(item)),
        CelFunctionBinding.from(
            "list_last_index_of",
            List.class,
            Object.class,
            (list, item) -> (long) list.lastIndexOf(item)));
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
    while ((most < 0 || found.size() < most) && matcher.find()) {
      found.add(matcher.group());
    }
    return found;
  }

  private static Matcher matcher(String text, String pattern) {
    try {
      return Pattern.compile(pattern).matcher(text);
    } catch (PatternSyntaxException e) {
      throw new IllegalArgumentException("Illegal regex: " + e.getMessage(), e);
    }
  }

  private static boolean isSorted(List<?> list) {
    for (int i = 1; i < list.size(); i++) {
      if (compare(list.get(i - 1), list.get(i)) > 0) {
        return false;
      }
    }
    return true;
  }

  private static Object sum(List<?> list) {
    Object sum = 0L;
    for (int i = 0; i < list.size(); i++) {
      Object item = list.get(i);
      sum =
          switch (item) {
            case Long number -> i == 0 ? number : Math.addExact(whole(sum), number);
            case Double number -> i == 0 ? number : fraction(sum) + number;
            case null, default -> throw new IllegalArgumentException("no such overload: sum");
          };
    }
    return sum;
  }

  private static long whole(Object value) {
    if (value instanceof Long number) {
      return number;
    }
    throw new IllegalArgumentException("no such overload: sum of int and double");
  }

  private static double fraction(Object value) {
    if (value instanceof Double number) {
      return number;
    }
    throw new IllegalArgumentException("no such overload: sum of double and int");
  }

  private static Object extreme(String name, List<?> list, int sign) {
    if (list.isEmpty()) {
      throw new IllegalArgumentException(name + " called on empty list");
    }
    Object best = list.getFirst();
    for (Object item : list) {
      if (Integer.signum(compare(item, best)) == sign) {
        best = item;
      }
    }
    return best;
  }

  private static int compare(Object left, Object right) {
    return switch (left) {
      case String text when right instanceof String other -> text.compareTo(other);
      case Long number when right instanceof Long other -> number.compareTo(other);
      case Double number when right instanceof Double other -> number.compareTo(other);
      case Boolean truth when right instanceof Boolean other -> truth.compareTo(other);
      default -> throw new IllegalArgumentException("no such overload: values cannot be compared");
    };
  }
}
