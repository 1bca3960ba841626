package dev.keelson.cel.library;

import dev.cel.common.types.OpaqueType;
import dev.cel.common.types.SimpleType;
import dev.keelson.cel.library.FunctionDeclarations.Type;
import dev.keelson.value.Quantity;

/** Kubernetes' CEL library of quantities. */
final class QuantityFunctions {

  private static final Type<String> TEXT = new Type<>(SimpleType.STRING, String.class);
  private static final Type<Long> INT = new Type<>(SimpleType.INT, Long.class);
  private static final Type<Quantity> QUANTITY =
      new Type<>(OpaqueType.create("kubernetes.Quantity"), Quantity.class);

  private QuantityFunctions() {}

  static void addTo(FunctionDeclarations list) {
    list.global("quantity", "string_to_quantity", QUANTITY.cel(), TEXT, Quantity::parse)
        .global(
            "isQuantity",
            "is_quantity_string",
            SimpleType.BOOL,
            TEXT,
            QuantityFunctions::isQuantity)
        .global("sign", "quantity_sign", SimpleType.INT, QUANTITY, QuantityFunctions::sign)
        .member("isInteger", "quantity_is_integer", SimpleType.BOOL, QUANTITY, Quantity::isInteger)
        .member("asInteger", "quantity_get_int", SimpleType.INT, QUANTITY, Quantity::longValue)
        .member(
            "asApproximateFloat",
            "quantity_get_float",
            SimpleType.DOUBLE,
            QUANTITY,
            Quantity::approximation)
        .member(
            "isGreaterThan",
            "quantity_is_greater_than",
            SimpleType.BOOL,
            QUANTITY,
            QUANTITY,
            (one, other) -> one.compareTo(other) > 0)
        .member(
            "isLessThan",
            "quantity_is_less_than",
            SimpleType.BOOL,
            QUANTITY,
            QUANTITY,
            (one, other) -> one.compareTo(other) < 0)
        .member(
            "compareTo",
            "quantity_compare_to",
            SimpleType.INT,
            QUANTITY,
            QUANTITY,
            (one, other) -> (long) one.compareTo(other))
        .member("add", "quantity_add", QUANTITY.cel(), QUANTITY, QUANTITY, Quantity::plus)
        .member(
            "add",
            "quantity_add_int",
            QUANTITY.cel(),
            QUANTITY,
            INT,
            (one, number) -> one.plus(Quantity.of(number)))
        .member("sub", "quantity_sub", QUANTITY.cel(), QUANTITY, QUANTITY, Quantity::minus)
        .member(
            "sub",
            "quantity_sub_int",
            QUANTITY.cel(),
            QUANTITY,
            INT,
            (one, number) -> one.minus(Quantity.of(number)));
  }

  private static boolean isQuantity(String text) {
    return Quantity.tryParse(text).isPresent();
  }

  private static long sign(Quantity quantity) {
    return quantity.signum();
  }
}
