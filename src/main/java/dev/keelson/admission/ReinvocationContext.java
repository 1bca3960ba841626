package dev.keelson.admission;

import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * What the plugins of one mutating phase tell each other about a second pass (source: apiserver's
 * {@code admission.ReinvocationContext}). Used by one thread.
 */
public final class ReinvocationContext {

  private boolean reinvoke;
  private boolean wanted;
  private @Nullable Map<String, Object> values;

  /** Whether this is the second pass. */
  public boolean isReinvoke() {
    return reinvoke;
  }

  /** Begins the second pass. */
  public void beginReinvoke() {
    reinvoke = true;
  }

  /** Whether a plugin wants a second pass. */
  public boolean shouldReinvoke() {
    return wanted;
  }

  /** Asks for a second pass of all plugins. */
  public void setShouldReinvoke() {
    wanted = true;
  }

  /** What a plugin has kept for the second pass under its own key; null if nothing. */
  public @Nullable Object value(String key) {
    return values == null ? null : values.get(key);
  }

  /** Keeps something for the second pass. */
  public void setValue(String key, Object value) {
    Map<String, Object> kept = values;
    if (kept == null) {
      kept = new HashMap<>(2);
      values = kept;
    }
    kept.put(key, value);
  }
}
