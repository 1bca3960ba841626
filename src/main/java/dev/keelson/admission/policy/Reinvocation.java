package dev.keelson.admission.policy;

import dev.keelson.admission.ReinvocationContext;
import dev.keelson.object.ApiObject;
import java.util.HashSet;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Which policies run again in the second pass (source: mutating/reinvocationcontext.go). */
final class Reinvocation {

  private static final String KEY = "MutatingAdmissionPolicy";

  private final Set<Key> invoked = new HashSet<>();
  private final Set<Key> again = new HashSet<>();
  private @Nullable ApiObject output;

  /** A policy with a binding and a parameter. */
  record Key(String policy, String binding, String namespace, String param) {}

  /** The state of a mutating phase. */
  static Reinvocation of(ReinvocationContext context) {
    if (context.value(KEY) instanceof Reinvocation known) {
      return known;
    }
    Reinvocation made = new Reinvocation();
    context.setValue(KEY, made);
    return made;
  }

  /** Whether the object is not as the last policy left it. */
  boolean isChanged(ApiObject object) {
    return !object.equals(output);
  }

  void leave(ApiObject object) {
    output = object;
  }

  boolean isAgain(Key key) {
    return again.contains(key);
  }

  /** The policies until now run again. */
  void requireAgain() {
    again.addAll(invoked);
    invoked.clear();
  }

  void add(Key key) {
    boolean unused = invoked.add(key);
  }
}
