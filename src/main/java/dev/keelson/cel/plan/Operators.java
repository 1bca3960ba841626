package dev.keelson.cel.plan;

import com.google.common.primitives.UnsignedLong;
import dev.keelson.cel.type.EvaluationError;
import dev.keelson.cel.type.Times;
import dev.keelson.cel.type.TreeMapView;
import dev.keelson.cel.type.Values;
import java.time.Duration;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.util.List;
import java.util.Map;
import java.util.function.IntPredicate;
import java.util.function.LongBinaryOperator;
import org.jspecify.annotations.Nullable;

/** The operators that are built in, with the messages of cel-go. */
final class Operators {

  private Operators() {}

  /** The operator of a function; null if the library's is used. */
  static @Nullable Operator of(String function) {
    return switch (function) {
      case "_==_" -> Values::same;
      case "_!=_" -> (one, other) -> !Values.same(one, other);
      case "_<_" -> (one, other) -> ordered(one, other, order -> order < 0);
      case "_<=_" -> (one, other) -> ordered(one, other, order -> order <= 0);
      case "_>_" -> (one, other) -> ordered(one, other, order -> order > 0);
      case "_>=_" -> (one, other) -> ordered(one, other, order -> order >= 0);
      case "@in", "_in_" -> Operators::in;
      case "_+_" -> Operators::plus;
      case "_-_" -> Operators::minus;
      case "_*_" -> Operators::times;
      case "_/_" -> Operators::divided;
      case "_%_" -> Operators::modulo;
      case "-_" -> (one, same) -> negated(one);
      case "size" -> (one, same) -> Values.size(one) < 0 ? null : Values.size(one);
      case "dyn" -> (one, same) -> one;
      case "type" -> (one, same) -> Values.typeOf(one);
      case "string" -> (one, same) -> Conversions.text(one);
      case "timestamp" -> (one, same) -> Conversions.timestamp(one);
      case "bool" -> (one, same) -> Conversions.truth(one);
      case "double" -> (one, same) -> Conversions.number(one);
      case "int", "uint" -> (one, same) -> Conversions.integer(one, function);
      case "duration" -> (one, same) -> Conversions.span(one);
      case "getMilliseconds" ->
          (one, zone) -> one instanceof Duration span ? span.toMillis() : null;
      case "optional.ofNonZeroValue" -> (one, same) -> Conversions.nonZero(one);
      case "contains" ->
          (one, other) ->
              one instanceof String text && other instanceof String part
                  ? text.contains(part)
                  : null;
      case "startsWith" ->
          (one, other) ->
              one instanceof String text && other instanceof String part
                  ? text.startsWith(part)
                  : null;
      case "endsWith" ->
          (one, other) ->
              one instanceof String text && other instanceof String part
                  ? text.endsWith(part)
                  : null;
      default -> null;
    };
  }

  private static @Nullable Object ordered(Object one, Object other, IntPredicate holds) {
    Integer order = Values.compare(one, other);
    if (order == null) {
      if (one instanceof Number && other instanceof Number) {
        throw new EvaluationError("NaN values cannot be ordered");
      }
      return null;
    }
    return holds.test(order);
  }

  private static @Nullable Object in(Object item, Object container) {
    return switch (container) {
      case List<?> list -> Values.contains(list, item);
      case TreeMapView map -> item instanceof String key && map.has(key);
      // a map may have a value for keys that it does not have
      case Map<?, ?> map -> Values.has(map, item);
      default -> null;
    };
  }

  private static @Nullable Object plus(Object one, Object other) {
    try {
      return switch (one) {
        case Long number when other instanceof Long more -> Math.addExact(number, more);
        case Double number when other instanceof Double more -> number + more;
        case String text when other instanceof String more -> text.concat(more);
        case List<?> list when other instanceof List<?> more -> Values.join(list, more);
        case UnsignedLong number when other instanceof UnsignedLong more -> {
          UnsignedLong sum = number.plus(more);
          yield sum.compareTo(number) < 0 ? tooLarge() : sum;
        }
        case Duration span when other instanceof Duration more -> span(Math::addExact, span, more);
        case OffsetDateTime time when other instanceof Duration span -> Times.plus(time, span);
        case Duration span when other instanceof OffsetDateTime time -> Times.plus(time, span);
        case Instant time when other instanceof Duration span -> Times.plus(time, span);
        case Duration span when other instanceof Instant time -> Times.plus(time, span);
        default -> null;
      };
    } catch (ArithmeticException e) {
      throw overflow();
    }
  }

  private static @Nullable Object minus(Object one, Object other) {
    try {
      return switch (one) {
        case Long number when other instanceof Long less -> Math.subtractExact(number, less);
        case Double number when other instanceof Double less -> number - less;
        case UnsignedLong number when other instanceof UnsignedLong less ->
            number.compareTo(less) < 0 ? tooLarge() : number.minus(less);
        case Duration span when other instanceof Duration less ->
            span(Math::subtractExact, span, less);
        case OffsetDateTime time when other instanceof Duration span ->
            Times.plus(time, span.negated());
        case Instant time when other instanceof Duration span -> Times.plus(time, span.negated());
        default -> between(Times.instant(one), Times.instant(other));
      };
    } catch (ArithmeticException e) {
      throw overflow();
    }
  }

  private static @Nullable Object times(Object one, Object other) {
    try {
      return switch (one) {
        case Long number when other instanceof Long times -> Math.multiplyExact(number, times);
        case Double number when other instanceof Double times -> number * times;
        case UnsignedLong number when other instanceof UnsignedLong times ->
            Math.unsignedMultiplyHigh(number.longValue(), times.longValue()) != 0
                ? tooLarge()
                : number.times(times);
        default -> null;
      };
    } catch (ArithmeticException e) {
      throw overflow();
    }
  }

  private static @Nullable Object divided(Object one, Object other) {
    if (one instanceof Double number && other instanceof Double by) {
      return number / by;
    }
    if (other.equals(UnsignedLong.ZERO) && one instanceof UnsignedLong) {
      throw new EvaluationError("division by zero");
    }
    if (!(one instanceof Long number && other instanceof Long by)) {
      return null;
    }
    if (by == 0) {
      throw new EvaluationError("division by zero");
    }
    if (number == Long.MIN_VALUE && by == -1) {
      throw overflow();
    }
    return number / by;
  }

  private static @Nullable Object modulo(Object one, Object other) {
    if (other.equals(UnsignedLong.ZERO) && one instanceof UnsignedLong) {
      throw new EvaluationError("modulus by zero");
    }
    if (!(one instanceof Long number && other instanceof Long by)) {
      return null;
    }
    if (by == 0) {
      throw new EvaluationError("modulus by zero");
    }
    if (number == Long.MIN_VALUE && by == -1) {
      throw overflow();
    }
    return number % by;
  }

  private static @Nullable Object negated(Object one) {
    return switch (one) {
      case Long number when number == Long.MIN_VALUE -> throw overflow();
      case Long number -> -number;
      case Double number -> -number;
      default -> null;
    };
  }

  /** Adds or subtracts durations, which have as many nanoseconds as an integer at most. */
  private static Duration span(LongBinaryOperator operator, Duration one, Duration other) {
    try {
      return Duration.ofNanos(operator.applyAsLong(one.toNanos(), other.toNanos()));
    } catch (ArithmeticException e) {
      throw new EvaluationError("duration overflow");
    }
  }

  /** The time from one time stamp to another; null if one of them is none. */
  private static @Nullable Duration between(@Nullable Instant one, @Nullable Instant other) {
    if (one == null || other == null) {
      return null;
    }
    try {
      return Duration.ofNanos(Duration.between(other, one).toNanos());
    } catch (ArithmeticException e) {
      throw new EvaluationError("duration overflow");
    }
  }

  private static UnsignedLong tooLarge() {
    throw new EvaluationError("unsigned integer overflow");
  }

  private static EvaluationError overflow() {
    return new EvaluationError("integer overflow");
  }
}
