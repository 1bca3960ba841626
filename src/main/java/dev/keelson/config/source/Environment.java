package dev.keelson.config.source;

import dev.keelson.config.flag.Flag;
import dev.keelson.config.flag.FlagException;
import dev.keelson.config.flag.Suggestion;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.regex.Pattern;

/** Reads settings from environment variables. */
public final class Environment {

  /**
   * The variables that kubelets set in each container of a namespace with a Service named keelson;
   * they have the prefix but are not settings.
   */
  private static final Pattern SERVICE_LINK =
      Pattern.compile(
          "KEELSON_([A-Z0-9_]+_)?"
              + "(SERVICE_HOST|SERVICE_PORT(_[A-Z0-9_]+)?|PORT(_\\d+_(TCP|UDP|SCTP)(_[A-Z]+)?)?)");

  private Environment() {}

  /**
   * Returns the variables by flag.
   *
   * @throws FlagException for a variable with the prefix and an unknown flag
   */
  public static Map<String, List<String>> read(Map<String, String> variables, List<Flag<?>> flags) {
    Map<String, String> nameOf = new TreeMap<>();
    flags.forEach(flag -> nameOf.put(flag.variable(), flag.name()));
    Map<String, List<String>> given = new HashMap<>();
    for (var variable : new TreeMap<>(variables).tailMap(Flag.VARIABLE_PREFIX).entrySet()) {
      String key = variable.getKey();
      if (!key.startsWith(Flag.VARIABLE_PREFIX)) {
        break;
      }
      String name = nameOf.get(key);
      if (name != null) {
        given.put(name, List.of(variable.getValue()));
      } else if (!SERVICE_LINK.matcher(key).matches()) {
        throw new FlagException(
            "unknown environment variable " + key + Suggestion.among(nameOf.keySet(), key));
      }
    }
    return given;
  }
}
