package dev.keelson.api;

import java.util.List;
import java.util.Map;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * A condition on labels: every requirement must hold. The grammar is Kubernetes': {@code a=b},
 * {@code a==b}, {@code a!=b}, {@code a in (b,c)}, {@code a notin (b)}, {@code a}, {@code !a},
 * {@code a>1}, {@code a<1}, joined by commas.
 *
 * @param requirements what must hold; none means that everything matches
 */
public record LabelSelector(List<LabelRequirement> requirements) {

  /** Matches every object. */
  public static final LabelSelector EVERYTHING = new LabelSelector(List.of());

  public LabelSelector {
    requirements = List.copyOf(requirements);
  }

  /**
   * Reads a selector.
   *
   * @throws ApiException of reason BadRequest that says where the syntax is wrong
   */
  public static LabelSelector parse(String text) {
    return text.isBlank() ? EVERYTHING : new LabelSelector(new LabelSelectorParser(text).parse());
  }

  public boolean isEverything() {
    return requirements.isEmpty();
  }

  public boolean matches(Map<String, String> labels) {
    return matchesEach(labels::get);
  }

  /**
   * Whether an object matches.
   *
   * @param labels the value of a label by its key, or null
   */
  public boolean matchesEach(Function<String, @Nullable String> labels) {
    for (LabelRequirement requirement : requirements) {
      if (!requirement.matchesValue(labels.apply(requirement.key()))) {
        return false;
      }
    }
    return true;
  }
}
