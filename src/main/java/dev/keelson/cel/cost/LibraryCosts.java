package dev.keelson.cel.cost;

import dev.cel.common.ast.CelConstant;
import dev.cel.common.ast.CelExpr;
import dev.cel.common.types.CelKind;
import dev.cel.common.types.CelType;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The estimated costs of the functions of Kubernetes' libraries (source: Kubernetes'
 * apiserver/pkg/cel/library/cost.go, EstimateCallCost).
 */
final class LibraryCosts {

  private static final double TRAVERSAL = 0.1;
  private static final double REGEX = 0.25;
  private static final double COMPARISON = 2;

  /** A call and the list that it makes. */
  private static final long LIST = 11;

  private static final int LONGEST_FORMAT_PATTERN = 128;
  private static final int LONGEST_FORMAT_NAME = 64;
  private static final Range ADDRESS = new Range(4, 16);

  private final SizeLimits limits;

  LibraryCosts(SizeLimits limits) {
    this.limits = limits;
  }

  /** The cost of a call; null if the language's rules apply. */
  @Nullable CallEstimate of(
      String function, String overload, @Nullable Sized target, List<Sized> arguments) {
    Sized first = arguments.isEmpty() ? null : arguments.getFirst();
    return switch (function) {
      case "check" -> new CallEstimate(Range.of(350_000));
      case "serviceAccount",
          "path",
          "group",
          "resource",
          "subresource",
          "namespace",
          "name",
          "allowed",
          "reason",
          "error",
          "errored",
          "masked",
          "prefixLength",
          "family",
          "isUnspecified",
          "isLoopback",
          "isLinkLocalMulticast",
          "isLinkLocalUnicast",
          "isGlobalUnicast",
          "format.named",
          "sign",
          "asInteger",
          "isInteger",
          "asApproximateFloat",
          "isGreaterThan",
          "isLessThan",
          "compareTo",
          "add",
          "sub",
          "major",
          "minor",
          "patch",
          "getScheme",
          "getHostname",
          "getHost",
          "getPort",
          "getEscapedPath",
          "getQuery" ->
          new CallEstimate(Range.ONE);
      case "url", "jsonpatch.escapeKey" ->
          first == null ? null : sized(size(first), TRAVERSAL, size(first));
      // texts that are parsed: cel-go passes a target that is not null for global functions too
      case "cidr", "isIP", "isCIDR", "quantity", "isQuantity", "semver", "isSemver" ->
          first == null ? null : new CallEstimate(size(first).times(TRAVERSAL));
      case "ip" -> new CallEstimate(first == null ? Range.ONE : size(first).times(TRAVERSAL));
      case "ip.isCanonical" ->
          first == null ? null : new CallEstimate(size(first).times(2 * TRAVERSAL));
      case "strings.quote" -> first == null ? null : quote(size(first));
      case "fieldSelector", "labelSelector" ->
          first == null ? null : new CallEstimate(selector(size(first)));
      case "lists.range" ->
          first == null ? null : list(Range.of(literal(first, Long.MAX_VALUE)), 1);
      case "sets.contains", "sets.intersects" -> sets(arguments, 1);
      case "sets.equivalent" -> sets(arguments, 2);
      case "_==_" -> equality(arguments);
      default -> target == null ? null : ofMember(function, overload, target, arguments);
    };
  }

  private @Nullable CallEstimate ofMember(
      String function, String overload, Sized target, List<Sized> arguments) {
    Range size = size(target);
    if (arguments.isEmpty()) {
      return switch (function) {
        case "isSorted", "sum", "max", "min" -> overList(target);
        case "lowerAscii", "upperAscii", "trim" -> sized(size, TRAVERSAL, size);
        case "join" -> join(target, Range.ZERO);
        case "reverse", "flatten" -> list(size, 1);
        case "distinct" -> list(size.times(size), COMPARISON);
        case "sort" -> list(size.times(size), comparison(overload));
        default -> null;
      };
    }
    Sized first = arguments.getFirst();
    return switch (function) {
      case "indexOf", "lastIndexOf" -> overList(target);
      case "substring" -> sized(size, TRAVERSAL, size);
      case "replace" -> arguments.size() < 2 ? null : replace(size, arguments);
      case "split" -> split(size, arguments);
      case "flatten" -> list(size, (double) literal(first, Long.MAX_VALUE));
      case "slice" -> arguments.size() < 2 ? null : slice(size, arguments);
      case "@sortByAssociatedKeys" -> list(size(first).times(size(first)), comparison(overload));
      case "join" -> join(target, size(first));
      case "find", "findAll" ->
          sized(
              size.plus(Range.ONE).times(TRAVERSAL).times(size(first).times(REGEX)),
              new Range(0, size.max()));
      case "validate" ->
          new CallEstimate(size(first).times(TRAVERSAL).times(LONGEST_FORMAT_PATTERN * REGEX));
      case "containsIP" -> new CallEstimate(within(first, overload));
      case "containsCIDR" ->
          new CallEstimate(within(first, overload).plus(ADDRESS.times(TRAVERSAL)).plus(Range.ONE));
      default -> null;
    };
  }

  /** A call that makes a list, with a cost for each unit of the size (source: ext/lists.go). */
  private static CallEstimate list(Range size, double factor) {
    return new CallEstimate(size.times(factor).plus(Range.of(LIST)), size);
  }

  private static double comparison(String overload) {
    return overload.startsWith("list_string_") || overload.startsWith("list_bytes_")
        ? COMPARISON + TRAVERSAL
        : COMPARISON;
  }

  private static CallEstimate slice(Range size, List<Sized> arguments) {
    long start = literal(arguments.get(0), 0);
    long end = literal(arguments.get(1), size.max());
    // Go's subtraction does not go below zero
    return list(Range.of(end < start ? Long.MAX_VALUE : end - start), 1);
  }

  /** The value of an integer literal, at least 0. */
  private static long literal(Sized argument, long otherwise) {
    CelExpr written = argument.expression();
    return written != null
            && written.getKind() == CelExpr.ExprKind.Kind.CONSTANT
            && written.constant().getKind() == CelConstant.Kind.INT64_VALUE
        ? Math.max(0, written.constant().int64Value())
        : otherwise;
  }

  private Range within(Sized other, String overload) {
    Range cost = ADDRESS.plus(ADDRESS).times(TRAVERSAL);
    return overload.endsWith("_string") ? cost.plus(size(other).times(TRAVERSAL)) : cost;
  }

  /** Every character may be escaped, and two quotes are added. */
  private static CallEstimate quote(Range size) {
    return sized(size, TRAVERSAL, size.or(size.plus(size).plus(Range.of(2))));
  }

  private static CallEstimate sized(Range size, double factor, Range result) {
    return new CallEstimate(size.times(factor), result);
  }

  private static CallEstimate sized(Range cost, Range result) {
    return new CallEstimate(cost, result);
  }

  private @Nullable CallEstimate sets(List<Sized> lists, int factor) {
    return lists.size() != 2
        ? null
        : new CallEstimate(
            size(lists.get(0)).times(size(lists.get(1))).times((double) factor).plus(Range.ONE));
  }

  /** A selector is read, and each requirement has two characters at least. */
  private static Range selector(Range size) {
    return size.times(TRAVERSAL).plus(size.times(0.5).times(50.0)).plus(Range.of(10));
  }

  /** Addresses, quantities and the like are compared at once; formats and URLs are text. */
  private static @Nullable CallEstimate equality(List<Sized> operands) {
    CelType type = operands.getFirst().type();
    if (type.name().equals("kubernetes.NamedFormat")) {
      return new CallEstimate(new Range(1, LONGEST_FORMAT_NAME).times(TRAVERSAL));
    }
    Range text = operands.get(1).size();
    if (type.name().equals("kubernetes.URL") && text != null) {
      return new CallEstimate(new Range(1, text.max()).times(TRAVERSAL));
    }
    return type.kind() == CelKind.OPAQUE
            && (type.name().startsWith("net.") || type.name().startsWith("kubernetes."))
            && type.equals(operands.get(1).type())
        ? new CallEstimate(Range.ONE)
        : null;
  }

  private CallEstimate overList(Sized target) {
    Sized element = element(target);
    if (element == null) {
      return new CallEstimate(size(target).times(TRAVERSAL));
    }
    CelKind kind = element.type().kind();
    Range each =
        kind == CelKind.STRING || kind == CelKind.BYTES
            ? Range.ONE.plus(size(element).times(TRAVERSAL))
            : Range.ONE;
    return new CallEstimate(size(target).times(each));
  }

  private CallEstimate join(Sized target, Range separator) {
    Range list = size(target);
    Sized element = element(target);
    Range joined = element == null ? Range.ZERO : list.times(size(element));
    Range separators = new Range(Math.max(0, list.min() - 1), Math.max(0, list.max() - 1));
    joined = joined.plus(separator.times(separators));
    return sized(joined, TRAVERSAL, joined);
  }

  private static CallEstimate split(Range size, List<Sized> arguments) {
    long most = size.max();
    CelExpr limit = arguments.size() > 1 ? arguments.get(1).expression() : null;
    if (limit != null
        && limit.getKind() == CelExpr.ExprKind.Kind.CONSTANT
        && limit.constant().getKind() == CelConstant.Kind.INT64_VALUE) {
      // a negative limit is none
      most = limit.constant().int64Value() < 0 ? Long.MAX_VALUE : limit.constant().int64Value();
    }
    return sized(size, 2 * TRAVERSAL, new Range(0, most));
  }

  /**
   * The result is longest if the smallest parts are replaced by the longest, as often as can be.
   */
  private CallEstimate replace(Range size, List<Sized> arguments) {
    Range replaced = size(arguments.get(0));
    Range by = size(arguments.get(1));
    long mostCount = 0;
    long mostKept = 0;
    if (replaced.min() == 0) {
      mostCount = size.max() == Long.MAX_VALUE ? size.max() : size.max() + 1;
      mostKept = size.max();
    } else if (by.max() <= replaced.min()) {
      mostKept = size.max();
    } else {
      mostCount = (long) Math.ceil((double) size.max() / replaced.min());
    }
    long leastCount = 0;
    long leastKept = 0;
    if (replaced.max() == 0) {
      leastCount = size.min() == Long.MAX_VALUE ? size.min() : size.min() + 1;
      leastKept = size.min();
    } else if (replaced.max() <= by.min()) {
      leastKept = size.min();
    } else {
      leastCount = (long) Math.ceil((double) size.min() / replaced.max());
    }
    Range result = new Range(leastCount, mostCount).times(by).plus(new Range(leastKept, mostKept));
    return sized(size, 2 * TRAVERSAL, result);
  }

  private static @Nullable Sized element(Sized list) {
    if (list.type().parameters().isEmpty()) {
      return null;
    }
    List<String> path = new ArrayList<>(list.path());
    if (!path.isEmpty()) {
      path.add("@items");
    }
    return new Sized(null, path, list.type().parameters().getFirst(), null);
  }

  private Range size(Sized part) {
    if (part.size() != null) {
      return part.size();
    }
    Range limit = limits.of(part.path());
    return limit == null ? Range.UNKNOWN : limit;
  }
}
