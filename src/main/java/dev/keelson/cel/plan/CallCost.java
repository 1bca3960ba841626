package dev.keelson.cel.plan;

import dev.cel.common.values.CelByteString;
import dev.keelson.cel.type.NamedFormat;
import dev.keelson.cel.type.Values;
import dev.keelson.value.Cidr;
import dev.keelson.value.IpAddress;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;

/**
 * The cost of a call without its arguments (source: cel-go's interpreter/runtimecost.go and
 * Kubernetes' apiserver/pkg/cel/library/cost.go).
 */
interface CallCost {

  /** The cost of an authorization check: two of them are allowed in an expression. */
  long CHECK = 350_000;

  /** Cost of reading a character or byte. */
  double TRAVERSAL = 0.1;

  /** Cost of a character of a regular expression, for each character that it is matched with. */
  double REGEX = 0.25;

  /** Cost of a call that makes a list, without its elements. */
  long LIST = 11;

  /** Cost of comparing two elements of a list. */
  double COMPARISON = 2;

  /** Cost of most calls. */
  CallCost ONE = (first, second, result) -> 1;

  /**
   * The cost of a call.
   *
   * @param first the target or first argument; the result if there is none
   * @param second the next argument; the result if there is none
   */
  long of(Object first, Object second, Object result);

  /**
   * The cost of a function.
   *
   * @param overload the identifier of its overload; empty if it is chosen when it is called
   */
  static CallCost of(String function, String overload) {
    return switch (function) {
      case "check" -> (first, second, result) -> CHECK;
      case "isSorted", "sum", "max", "min", "indexOf", "lastIndexOf" ->
          (first, second, result) -> traversal(first);
      case "url",
          "lowerAscii",
          "upperAscii",
          "substring",
          "trim",
          "cidr",
          "isIP",
          "isCIDR",
          "quantity",
          "isQuantity",
          "semver",
          "isSemver",
          "jsonpatch.escapeKey" ->
          (first, second, result) -> units(size(first), TRAVERSAL);
      case "ip" ->
          overload.equals("cidr_ip")
              ? ONE
              : (first, second, result) -> units(size(first), TRAVERSAL);
      case "replace", "split", "ip.isCanonical" ->
          (first, second, result) -> units(size(first), 2 * TRAVERSAL);
      case "join" -> (first, second, result) -> units(size(result), 2 * TRAVERSAL);
      case "find", "findAll" -> CallCost::match;
      case "slice" -> (first, second, result) -> LIST + size(result);
      case "reverse" -> (first, second, result) -> LIST + size(first);
      case "lists.range" ->
          (first, second, result) -> LIST + (first instanceof Long count ? Math.max(0, count) : 0);
      case "flatten" -> (first, second, result) -> flattening(first, second);
      case "sort", "distinct" -> (first, second, result) -> comparisons(first);
      case "@sortByAssociatedKeys" -> (first, second, result) -> comparisons(second);
      case "validate" -> (first, second, result) -> validation(first, second);
      case "fieldSelector", "labelSelector" -> (first, second, result) -> selector(size(second));
      case "containsIP" -> (first, second, result) -> within(first, second, overload);
      case "containsCIDR" ->
          (first, second, result) ->
              within(first, second, overload) + units(size(first), TRAVERSAL) + 1;
      case "sets.contains", "sets.intersects" ->
          (first, second, result) -> 1 + size(first) * size(second);
      case "sets.equivalent" -> (first, second, result) -> 1 + 2 * size(first) * size(second);
      // equality of a quantity and the like counts as equality of scalars, whose size is 1
      case "_==_", "_!=_" ->
          (first, second, result) -> units(Math.min(size(first), size(second)), TRAVERSAL);
      default -> overload.isEmpty() ? ofDynamic(function) : ofOverload(overload);
    };
  }

  /**
   * Whether a function is paid for before it is called: its work or its result may grow faster than
   * its arguments, and its cost is known by them.
   */
  static boolean isPrepaid(String function) {
    return switch (function) {
      case "lists.range", "reverse", "flatten", "distinct", "sort", "@sortByAssociatedKeys" -> true;
      default -> false;
    };
  }

  /**
   * The cost of a function whose overload is chosen when it is called. cel-go counts one unit; here
   * work over text and lists is counted, so that dynamically typed expressions are bounded too.
   */
  private static CallCost ofDynamic(String function) {
    return switch (function) {
      case "_+_" ->
          (first, second, result) ->
              result instanceof String text ? units(text.length(), TRAVERSAL) : 1;
      case "@in" ->
          (first, second, result) -> second instanceof List<?> list ? Math.max(1, list.size()) : 1;
      case "matches" -> CallCost::match;
      default -> ONE;
    };
  }

  private static CallCost ofOverload(String overload) {
    return switch (overload) {
      case "starts_with_string",
          "ends_with_string",
          "string_to_bytes",
          "bytes_to_string",
          "string_format",
          "strings_quote" ->
          (first, second, result) -> units(size(first), TRAVERSAL);
      case "in_list" -> (first, second, result) -> size(second);
      case "less_string",
          "less_equals_string",
          "greater_string",
          "greater_equals_string",
          "less_bytes",
          "less_equals_bytes",
          "greater_bytes",
          "greater_equals_bytes" ->
          (first, second, result) -> units(Math.min(size(first), size(second)), TRAVERSAL);
      case "add_string", "add_bytes" ->
          (first, second, result) -> units(size(first) + size(second), TRAVERSAL);
      case "matches_string", "matches" -> CallCost::match;
      case "contains_string" ->
          (first, second, result) -> units(size(first), TRAVERSAL) * units(size(second), TRAVERSAL);
      default -> ONE;
    };
  }

  private static long match(Object text, Object pattern, Object result) {
    return units(1 + size(text), TRAVERSAL) * units(size(pattern), REGEX);
  }

  private static long validation(Object format, Object text) {
    int pattern = format instanceof NamedFormat named ? named.longestPattern() : 128;
    return units(1 + size(text), TRAVERSAL) * units(pattern, REGEX);
  }

  /** A selector is read, and each requirement has two characters at least. */
  private static long selector(long size) {
    return units(size, TRAVERSAL) + units(size, 0.5) * 50 + 10;
  }

  private static long within(Object network, Object other, String overload) {
    long cost = units(2 * size(network), TRAVERSAL);
    return overload.endsWith("_string") ? cost + units(size(other), TRAVERSAL) : cost;
  }

  private static long traversal(Object value) {
    return switch (value) {
      case String text -> (long) (text.getBytes(StandardCharsets.UTF_8).length * TRAVERSAL);
      case CelByteString bytes -> (long) (bytes.size() * TRAVERSAL);
      case List<?> list -> {
        long cost = 0;
        for (Object item : list) {
          cost += traversal(item);
        }
        yield cost;
      }
      case Map<?, ?> map -> {
        long cost = 0;
        for (Map.Entry<?, ?> entry : map.entrySet()) {
          cost += traversal(entry.getKey()) + traversal(entry.getValue());
        }
        yield cost;
      }
      default -> 1;
    };
  }

  /** The cost of making one list of those in a list. */
  private static long flattening(Object list, Object depth) {
    double levels = depth instanceof Long number ? Math.max(0, number) : 1;
    return LIST + (long) (size(list) * levels);
  }

  /** The cost of comparing each element with each other one. */
  private static long comparisons(Object list) {
    Object first = list instanceof List<?> items && !items.isEmpty() ? items.getFirst() : list;
    boolean texts = first instanceof String || first instanceof CelByteString;
    double pairs = (double) size(list) * size(list);
    return LIST + (long) (pairs * (texts ? COMPARISON + TRAVERSAL : COMPARISON));
  }

  /** The size of a value; 1 for values without one. */
  private static long size(Object value) {
    return switch (value) {
      case IpAddress address -> address.family() == IpAddress.Family.IPV4 ? 4 : 16;
      case Cidr network -> (network.prefixLength() + 7) / 8;
      default -> {
        long size = Values.size(value);
        yield size < 0 ? 1 : size;
      }
    };
  }

  private static long units(long size, double factor) {
    return (long) Math.ceil(size * factor);
  }
}
