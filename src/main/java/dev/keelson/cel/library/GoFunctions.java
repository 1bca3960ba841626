package dev.keelson.cel.library;

import dev.cel.common.types.ListType;
import dev.cel.common.types.OptionalType;
import dev.cel.common.types.SimpleType;
import dev.cel.common.types.TypeParamType;
import dev.keelson.cel.library.FunctionDeclarations.Type;
import dev.keelson.cel.type.EvaluationError;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * Functions that cel-go has and the library for Java lacks: conversions between durations and
 * integers, which are nanoseconds, and {@code unwrapOpt}.
 */
final class GoFunctions {

  private static final Type<Long> INT = new Type<>(SimpleType.INT, Long.class);
  private static final Type<Duration> DURATION = new Type<>(SimpleType.DURATION, Duration.class);

  private GoFunctions() {}

  static void addTo(FunctionDeclarations functions) {
    TypeParamType item = TypeParamType.create("T");
    functions
        .global("duration", "int64_to_duration", DURATION.cel(), INT, Duration::ofNanos)
        .global("int", "duration_to_int64", INT.cel(), DURATION, Duration::toNanos)
        .member(
            "unwrapOpt",
            "optional_unwrapOpt",
            ListType.create(item),
            ListFunctions.list(OptionalType.create(item)),
            GoFunctions::unwrapped);
  }

  private static List<Object> unwrapped(List<?> list) {
    List<Object> values = new ArrayList<>(list.size());
    for (Object item : list) {
      if (!(item instanceof Optional<?> optional)) {
        throw new EvaluationError("value " + item + " is not optional");
      }
      optional.ifPresent(values::add);
    }
    return values;
  }
}
