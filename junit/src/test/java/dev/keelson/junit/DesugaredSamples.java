package dev.keelson.junit;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import java.util.function.BiFunction;
import java.util.function.Function;
import java.util.function.IntFunction;
import java.util.function.IntSupplier;
import java.util.function.LongFunction;
import java.util.function.Supplier;
import java.util.function.ToLongFunction;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/** What a compiler makes invokedynamic instructions of; see {@link DesugaredTest}. */
public final class DesugaredSamples {

  /** Components of every kind. */
  record Everything(
      boolean z, byte b, char c, short s, int i, long j, float f, double d, String text, int[] a) {}

  /** Cases of a switch. */
  sealed interface Shape {
    /** The private method of an interface in a lambda. */
    default Supplier<String> name() {
      return () -> hidden() + "!";
    }

    private String hidden() {
      return getClass().getSimpleName();
    }
  }

  record Square(int side) implements Shape {}

  record Circle(double radius) implements Shape {}

  enum Color {
    RED,
    GREEN
  }

  /** Has lambdas of the same names as its super class. */
  private static class Outer {
    private final int value;

    Outer(int value) {
      this.value = value;
    }

    IntSupplier first() {
      return () -> value + own();
    }

    private int own() {
      return 1;
    }

    private final class Inner {
      IntSupplier deep() {
        return () -> value * 10 + own();
      }
    }
  }

  private static final class Lower extends Outer {
    Lower() {
      super(7);
    }

    IntSupplier second() {
      return () -> own() + 100;
    }

    private int own() {
      return 2;
    }
  }

  private int counter;

  /** Runs them all. */
  public static List<String> run() throws Exception {
    return new DesugaredSamples().all();
  }

  /** Whether a lambda's class is one that the JVM has made. */
  public static boolean hasHiddenClasses() {
    Runnable nothing = () -> {};
    return nothing.getClass().isHidden();
  }

  private List<String> all() throws Exception {
    List<String> results = new ArrayList<>();
    lambdas(results);
    concatenations(results);
    switches(results);
    records(results);
    return results;
  }

  private void lambdas(List<String> results) {
    long wide = 1L << 40;
    double half = 0.5;
    byte small = -3;
    Supplier<Long> captured = () -> wide + (long) half + small;
    ToLongFunction<Integer> widened = Integer::intValue;
    Function<Integer, Long> boxed = Long::valueOf;
    LongFunction<Object> toObject = value -> value;
    IntFunction<int[]> array = int[]::new;
    Function<String, Integer> parsed = Integer::parseInt;
    BiFunction<String, String, Boolean> unbound = String::startsWith;
    Supplier<List<String>> made = ArrayList::new;
    Function<Integer, Outer> withArgument = Outer::new;
    Supplier<String> bound = "text"::toUpperCase;
    Runnable dropsResult = this::next;
    dropsResult.run();
    dropsResult.run();
    Supplier<Supplier<String>> nested = () -> () -> "nested" + counter;
    Comparator<String> compared = Comparator.comparing(String::length, Comparator.reverseOrder());
    Lower lower = new Lower();
    Outer outer = new Outer(3);
    results.add(captured.get() + "," + widened.applyAsLong(5) + "," + boxed.apply(6));
    results.add(toObject.apply(7L) + "," + array.apply(3).length + "," + parsed.apply("8"));
    results.add(unbound.apply("ab", "a") + "," + made.get() + "," + withArgument.apply(4).value);
    results.add(bound.get() + "," + counter + "," + nested.get().get());
    results.add(Stream.of("a", "ccc", "bb").sorted(compared).toList().toString());
    results.add(lower.first().getAsInt() + "," + lower.second().getAsInt());
    results.add("" + outer.new Inner().deep().getAsInt());
    results.add(
        IntStream.range(0, 5)
            .boxed()
            .collect(Collectors.groupingBy(i -> i % 2, TreeMap::new, Collectors.toList()))
            .toString());
    try {
      results.add(String.valueOf(unchecked(String::length).apply(1)));
    } catch (ClassCastException e) {
      results.add("not a String");
    }
  }

  @SuppressWarnings("unchecked")
  private static Function<Object, Object> unchecked(Function<String, Integer> function) {
    return (Function<Object, Object>) (Function<?, ?>) function;
  }

  private int next() {
    return ++counter;
  }

  private static void concatenations(List<String> results) {
    String none = null;
    char[] letters = {'x'};
    for (int i = 0; i < 2; i++) {
      results.add("z" + (i == 0) + (byte) -i + (char) ('a' + i) + (short) i + i + 7L * i);
      results.add(1.5f * i + "," + 2.5 * i + none + Color.values()[i] + Map.of(i, letters.length));
      results.add("\1" + i + "\2" + none);
    }
  }

  private static void switches(List<String> results) {
    for (Object each :
        new Object[] {
          1, -1, "s", "", 2L, Color.RED, Color.GREEN, new Square(2), new Circle(1), 'c'
        }) {
      results.add(
          switch (each) {
            case Integer i when i < 0 -> "negative";
            case Integer i -> "integer " + i;
            case String s when s.isEmpty() -> "empty";
            case CharSequence s -> "text " + s;
            case Color color when color == Color.RED -> "red";
            case Square(int side) -> "square " + side;
            case Shape shape -> "shape " + shape.name().get();
            default -> "other " + each;
          });
    }
    for (Shape shape : List.of(new Square(1), new Circle(2))) {
      results.add(
          switch (shape) {
            case Square square -> square.name().get();
            case Circle circle -> "circle " + circle.radius();
          });
    }
    try {
      Object absent = null;
      results.add(
          switch (absent) {
            case String s -> s;
            default -> "none";
          });
    } catch (NullPointerException e) {
      results.add("null");
    }
  }

  private static void records(List<String> results) {
    int[] array = {1};
    Everything one =
        new Everything(true, (byte) 1, 'c', (short) 2, 3, 4L, Float.NaN, -0.0, null, array);
    Everything same =
        new Everything(true, (byte) 1, 'c', (short) 2, 3, 4L, Float.NaN, -0.0, null, array);
    Everything other =
        new Everything(true, (byte) 1, 'c', (short) 2, 3, 4L, Float.NaN, 0.0, null, array);
    results.add(one.equals(same) + "," + one.equals(other) + "," + Objects.equals(one, null));
    results.add(one.equals("x") + "," + (one.hashCode() == same.hashCode()));
    results.add(new Square(3).hashCode() + "," + new Circle(0.25).hashCode() + "," + new Square(3));
  }
}
