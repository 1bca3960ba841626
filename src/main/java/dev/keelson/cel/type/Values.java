package dev.keelson.cel.type;

import com.google.common.primitives.UnsignedLong;
import dev.cel.common.types.CelType;
import dev.cel.common.types.ListType;
import dev.cel.common.types.MapType;
import dev.cel.common.types.OpaqueType;
import dev.cel.common.types.OptionalType;
import dev.cel.common.types.SimpleType;
import dev.cel.common.types.StructTypeReference;
import dev.cel.common.types.TypeType;
import dev.cel.common.values.CelByteString;
import dev.cel.common.values.NullValue;
import dev.keelson.value.Cidr;
import dev.keelson.value.IpAddress;
import dev.keelson.value.Quantity;
import java.time.Duration;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * What CEL says about values: equality, order, size and type. Values are {@link Boolean}, {@link
 * Long}, {@link UnsignedLong}, {@link Double}, {@link String}, {@link CelByteString}, {@link
 * Instant}, {@link OffsetDateTime}, {@link Duration}, {@link List}, {@link Map}, {@link Optional},
 * {@link NullValue}, {@link TypeType} and the classes of Kubernetes' libraries ({@link
 * LibraryValue} and those of {@code dev.keelson.value}).
 */
public final class Values {

  private Values() {}

  /** A value as the key of a Java map, equal as CEL says. */
  record Key(Object value) {
    @Override
    public boolean equals(@Nullable Object other) {
      return other instanceof Key(Object theirs) && same(value, theirs);
    }

    @Override
    public int hashCode() {
      return hash(value);
    }
  }

  private static int hash(Object value) {
    return switch (value) {
      case Number number -> Double.hashCode(number.doubleValue() + 0.0);
      case List<?> list -> list.size();
      case Map<?, ?> map -> map.size();
      case OffsetDateTime time -> time.toInstant().hashCode();
      default -> value.hashCode();
    };
  }

  /** {@code ==}. Values of different types are not equal, but numbers are compared by value. */
  public static boolean same(Object left, Object right) {
    if (left == right) {
      return !(left instanceof Double number && number.isNaN());
    }
    if (left instanceof String text) {
      return text.equals(right);
    }
    if (left instanceof Long one && right instanceof Long other) {
      return one.longValue() == other.longValue();
    }
    if (left instanceof Number one && right instanceof Number other) {
      return numbers(one, other) == 0;
    }
    if (left instanceof DeclaredList list && right instanceof List<?> other) {
      return new TypedList(list).sameAs(other);
    }
    if (left instanceof List<?> list && right instanceof List<?> other) {
      return list.size() == other.size() && sameItems(list, other);
    }
    if (left instanceof ObjectValue || right instanceof ObjectValue) {
      return left instanceof ObjectValue one
          && right instanceof ObjectValue other
          && one.typeName().equals(other.typeName())
          && sameEntries(one, other);
    }
    if (left instanceof Map<?, ?> map && right instanceof Map<?, ?> other) {
      return sameEntries(map, other);
    }
    if (left instanceof Optional<?> one && right instanceof Optional<?> other) {
      return one.isPresent() == other.isPresent()
          && (one.isEmpty() || same(one.get(), other.orElseThrow()));
    }
    Instant time = Times.instant(left);
    return time == null ? left.equals(right) : time.equals(Times.instant(right));
  }

  static boolean sameItems(List<?> left, List<?> right) {
    for (int i = 0; i < left.size(); i++) {
      if (!same(left.get(i), right.get(i))) {
        return false;
      }
    }
    return true;
  }

  private static boolean sameEntries(Map<?, ?> left, Map<?, ?> right) {
    if (left instanceof TreeMapView one
        && right instanceof TreeMapView other
        && one.isSameTree(other)) {
      return true;
    }
    if (left.size() != right.size()) {
      return false;
    }
    for (Map.Entry<?, ?> entry : left.entrySet()) {
      Object theirs = find(right, entry.getKey());
      if (theirs == null || !same(entry.getValue(), theirs)) {
        return false;
      }
    }
    return true;
  }

  /** The value of a key; null if there is none. Numbers are compared by value. */
  public static @Nullable Object find(Map<?, ?> map, Object key) {
    Object found = map.get(key);
    if (found != null || !(key instanceof Number number)) {
      return found;
    }
    for (Map.Entry<?, ?> entry : map.entrySet()) {
      if (entry.getKey() instanceof Number other && numbers(number, other) == 0) {
        return entry.getValue();
      }
    }
    return null;
  }

  /** Whether a map has a key. Numbers are compared by value. */
  public static boolean has(Map<?, ?> map, Object key) {
    return map.containsKey(key) || (key instanceof Number && find(map, key) != null);
  }

  /** {@code +} of lists. */
  public static List<Object> join(List<?> left, List<?> right) {
    return left instanceof DeclaredList list
        ? new TypedList(list).joined(right)
        : GrowingList.joined(left, right);
  }

  /** {@code in} of a list. */
  public static boolean contains(List<?> list, Object item) {
    for (int i = 0; i < list.size(); i++) {
      if (same(list.get(i), item)) {
        return true;
      }
    }
    return false;
  }

  /**
   * The order of two values: negative, 0 or positive.
   *
   * @return null if they cannot be compared, as NaN and values of different types
   */
  public static @Nullable Integer compare(Object left, Object right) {
    return switch (left) {
      case Long one when right instanceof Long other -> Long.compare(one, other);
      case Number one when right instanceof Number other -> {
        int order = numbers(one, other);
        yield order == UNORDERED ? null : (Integer) order;
      }
      case String one when right instanceof String other -> compareText(one, other);
      case Boolean one when right instanceof Boolean other -> one.compareTo(other);
      case Instant one -> compareTimes(one, right);
      case OffsetDateTime one -> compareTimes(one.toInstant(), right);
      case Duration one when right instanceof Duration other -> one.compareTo(other);
      case CelByteString one when right instanceof CelByteString other ->
          java.util.Arrays.compareUnsigned(one.toByteArray(), other.toByteArray());
      default -> null;
    };
  }

  private static @Nullable Integer compareTimes(Instant left, Object right) {
    Instant other = Times.instant(right);
    return other == null ? null : (Integer) left.compareTo(other);
  }

  /** The order of UTF-8, which Java's is not for characters beyond the first plane. */
  private static int compareText(String left, String right) {
    int length = Math.min(left.length(), right.length());
    for (int i = 0; i < length; i++) {
      char one = left.charAt(i);
      char other = right.charAt(i);
      if (one != other) {
        boolean pairs = Character.isSurrogate(one) || Character.isSurrogate(other);
        return pairs && Character.isSurrogate(one) != Character.isSurrogate(other)
            ? Character.isSurrogate(one) ? 1 : -1
            : Character.compare(one, other);
      }
    }
    return Integer.compare(left.length(), right.length());
  }

  private static final int UNORDERED = 2;

  private static int numbers(Number left, Number right) {
    if (left instanceof Double || right instanceof Double) {
      double one = left.doubleValue();
      double other = right.doubleValue();
      if (Double.isNaN(one) || Double.isNaN(other)) {
        return UNORDERED;
      }
      // near 2^63 doubles are coarser than integers
      return one == other && (left instanceof Long || right instanceof Long)
          ? big(left).compareTo(big(right))
          : Double.compare(one + 0.0, other + 0.0);
    }
    if (left instanceof Long one && right instanceof Long other) {
      return Long.compare(one, other);
    }
    return big(left).compareTo(big(right));
  }

  private static java.math.BigDecimal big(Number number) {
    return switch (number) {
      case Double fraction when Double.isInfinite(fraction) ->
          java.math.BigDecimal.valueOf(Math.copySign(Double.MAX_VALUE, fraction));
      case Double fraction -> new java.math.BigDecimal(fraction);
      case UnsignedLong whole -> new java.math.BigDecimal(whole.bigIntegerValue());
      default -> java.math.BigDecimal.valueOf(number.longValue());
    };
  }

  /** The size of a value: characters, bytes, items or entries; -1 for values without one. */
  public static long size(Object value) {
    return switch (value) {
      case String text -> text.codePointCount(0, text.length());
      case List<?> list -> list.size();
      case Map<?, ?> map -> map.size();
      case CelByteString bytes -> bytes.size();
      default -> -1;
    };
  }

  /**
   * {@code type(value)}.
   *
   * @return null for values of other libraries
   */
  public static @Nullable TypeType typeOf(Object value) {
    CelType type =
        switch (value) {
          case Boolean truth -> SimpleType.BOOL;
          case Long number -> SimpleType.INT;
          case UnsignedLong number -> SimpleType.UINT;
          case Double number -> SimpleType.DOUBLE;
          case String text -> SimpleType.STRING;
          case CelByteString bytes -> SimpleType.BYTES;
          case Instant time -> SimpleType.TIMESTAMP;
          case OffsetDateTime time -> SimpleType.TIMESTAMP;
          case LibraryValue other -> other.celType();
          case IpAddress address -> OpaqueType.create("net.IP");
          case Cidr network -> OpaqueType.create("net.CIDR");
          case Quantity quantity -> OpaqueType.create("kubernetes.Quantity");
          case Duration span -> SimpleType.DURATION;
          case NullValue none -> SimpleType.NULL_TYPE;
          case List<?> list -> ListType.create(SimpleType.DYN);
          case TreeMapView object when object.isObject() ->
              StructTypeReference.create(object.type().name());
          case ObjectValue object -> StructTypeReference.create(object.typeName());
          case Map<?, ?> map -> MapType.create(SimpleType.DYN, SimpleType.DYN);
          case Optional<?> optional -> OptionalType.create(SimpleType.DYN);
          case TypeType of -> SimpleType.DYN;
          default -> null;
        };
    return type == null
        ? null
        : value instanceof TypeType ? TypeType.create(SimpleType.DYN) : TypeType.create(type);
  }

  /** Equality and addition of lists by their list type, as Kubernetes defines them. */
  private record TypedList(DeclaredList list) {
    /** Whether two lists have the same elements, by the list type of this one. */
    boolean sameAs(List<?> other) {
      if (other.size() != list.size()) {
        return false;
      }
      return switch (list.type().listKind()) {
        case ATOMIC -> sameItems(list, other);
        case SET -> containsAll(asSet(other));
        case MAP -> sameByKeys(other);
      };
    }

    private boolean containsAll(Set<Key> theirs) {
      for (Object item : list) {
        if (!theirs.contains(new Key(item))) {
          return false;
        }
      }
      return true;
    }

    private static Set<Key> asSet(List<?> items) {
      Set<Key> set = HashSet.newHashSet(items.size());
      for (Object item : items) {
        set.add(new Key(item));
      }
      return set;
    }

    private boolean sameByKeys(List<?> other) {
      Map<List<Key>, Object> theirs = HashMap.newHashMap(other.size());
      for (Object item : other) {
        theirs.put(keyOf(item), item);
      }
      for (Object item : list) {
        Object found = theirs.get(keyOf(item));
        if (found == null || !same(item, found)) {
          return false;
        }
      }
      return true;
    }

    private List<Key> keyOf(Object item) {
      List<Key> key = new ArrayList<>(list.type().keys().size());
      for (String name : list.type().keys()) {
        Object part =
            item instanceof TreeMapView map
                ? map.field(name)
                : item instanceof Map<?, ?> entries ? entries.get(name) : null;
        key.add(new Key(part == null ? NullValue.NULL_VALUE : part));
      }
      return key;
    }

    /**
     * The list with another's elements: a set gains those that it lacks; in a list of type map they
     * replace those of the same key; otherwise they follow.
     */
    List<Object> joined(List<?> other) {
      return switch (list.type().listKind()) {
        case ATOMIC -> GrowingList.joined(list, other);
        case SET -> DeclaredList.of(list.type(), union(other));
        case MAP -> DeclaredList.of(list.type(), merged(other));
      };
    }

    private List<Object> union(List<?> other) {
      List<Object> union = new ArrayList<>(list);
      Set<Key> ours = asSet(list);
      for (Object item : other) {
        if (!ours.contains(new Key(item))) {
          union.add(item);
        }
      }
      return union;
    }

    private List<Object> merged(List<?> other) {
      List<Object> merged = new ArrayList<>(list);
      Map<List<Key>, Integer> places = HashMap.newHashMap(list.size());
      for (int i = 0; i < list.size(); i++) {
        places.put(keyOf(list.get(i)), i);
      }
      for (Object item : other) {
        Integer place = places.get(keyOf(item));
        if (place == null) {
          merged.add(item);
        } else {
          merged.set(place, item);
        }
      }
      return merged;
    }
  }
}
