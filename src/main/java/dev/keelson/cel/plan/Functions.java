package dev.keelson.cel.plan;

import dev.cel.common.values.NullValue;
import dev.cel.runtime.CelEvaluationException;
import dev.cel.runtime.CelFunctionBinding;
import dev.keelson.cel.type.EvaluationError;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** The functions of an environment by the identifiers of their overloads. Immutable. */
public final class Functions {

  private static final Set<String> CONVERSIONS =
      Set.of("int", "uint", "double", "bool", "bytes", "timestamp", "duration", "string");

  private static final Pattern REPEATED_KEY =
      Pattern.compile("insert failed: key '(.*)' already exists", Pattern.DOTALL);

  private final Map<String, CelFunctionBinding> overloads;

  /** The functions with these implementations. */
  public Functions(Collection<CelFunctionBinding> bindings) {
    Map<String, CelFunctionBinding> known = new HashMap<>();
    bindings.forEach(binding -> known.putIfAbsent(binding.getOverloadId(), binding));
    overloads = Map.copyOf(known);
  }

  /** The overloads that a call may mean. */
  Dispatch dispatch(String function, List<String> ids) {
    List<CelFunctionBinding> found = new ArrayList<>();
    for (String id : ids) {
      CelFunctionBinding binding = overloads.get(id);
      if (binding != null) {
        found.add(binding);
      }
    }
    return new Dispatch(function, List.copyOf(found));
  }

  /** The overloads of a call, chosen by the types of the arguments. */
  static final class Dispatch {
    private final String function;
    private final List<CelFunctionBinding> overloads;

    private Dispatch(String function, List<CelFunctionBinding> overloads) {
      this.function = function;
      this.overloads = overloads;
    }

    Object call(Object[] arguments) {
      for (int i = 0; i < arguments.length; i++) {
        if (arguments[i] instanceof OffsetDateTime time) {
          arguments[i] = time.toInstant();
        }
      }
      if (arguments.length == 2 && arguments[0] instanceof Instant && arguments[1].equals("")) {
        // Go's name of it
        arguments[1] = "UTC";
      }
      for (CelFunctionBinding overload : overloads) {
        if (takes(overload.getArgTypes(), arguments)) {
          return call(overload, arguments);
        }
      }
      throw EvaluationError.noSuchOverload();
    }

    private static boolean takes(List<Class<?>> types, Object[] arguments) {
      if (types.size() != arguments.length) {
        return false;
      }
      for (int i = 0; i < arguments.length; i++) {
        if (!types.get(i).isInstance(arguments[i])) {
          return false;
        }
      }
      return true;
    }

    private Object call(CelFunctionBinding overload, Object[] arguments) {
      try {
        Object result = overload.getDefinition().apply(arguments);
        return result == null ? NullValue.NULL_VALUE : result;
      } catch (EvaluationError e) {
        throw e;
      } catch (CelEvaluationException | RuntimeException e) {
        // functions of the library report wrong values by exceptions of many classes
        throw problem(arguments, e);
      }
    }

    private EvaluationError problem(Object[] arguments, Exception e) {
      if (CONVERSIONS.contains(function) && arguments[0] instanceof String) {
        String type = function.equals("duration") ? "google.protobuf.Duration" : function;
        return new EvaluationError("type conversion error from 'string' to '" + type + "'");
      }
      if (CONVERSIONS.contains(function) && arguments[0] instanceof Number) {
        return new EvaluationError(
            function.equals("uint") ? "unsigned integer overflow" : "integer overflow");
      }
      if (function.equals("value") && arguments[0] instanceof Optional) {
        return new EvaluationError("optional.none() dereference");
      }
      if (arguments.length == 2
          && arguments[0] instanceof Instant
          && arguments[1] instanceof String zone
          && zone.indexOf(':') < 0) {
        return new EvaluationError("unknown time zone " + zone);
      }
      String message = String.valueOf(e.getMessage());
      Matcher repeated = REPEATED_KEY.matcher(message);
      if (repeated.matches()) {
        return new EvaluationError("insert failed: key " + repeated.group(1) + " already exists");
      }
      String words = StringErrors.of(function, arguments);
      return new EvaluationError(words.isEmpty() ? message : words);
    }
  }
}
