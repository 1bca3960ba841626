import java.lang.classfile.CodeBuilder;
import java.lang.classfile.TypeKind;
import java.lang.constant.ClassDesc;
import java.lang.constant.ConstantDescs;
import java.lang.constant.MethodTypeDesc;
import java.util.List;
import java.util.Optional;

/** Code that converts values between types. */
final class Conversions {

  private Conversions() {}

  /** Converts the value on the stack as LambdaMetafactory does. */
  static void convert(CodeBuilder code, ClassDesc from, ClassDesc to) {
    if (from.equals(to)) {
      return;
    }
    if (from.isPrimitive() && to.isPrimitive()) {
      code.conversion(kind(from), kind(to));
    } else if (from.isPrimitive()) {
      ClassDesc box = box(from);
      code.invokestatic(box, "valueOf", MethodTypeDesc.of(box, from));
    } else if (to.isPrimitive()) {
      ClassDesc primitive = unboxed(from).orElse(to);
      ClassDesc box = box(primitive);
      if (!from.equals(box)) {
        code.checkcast(box);
      }
      code.invokevirtual(box, primitive.displayName() + "Value", MethodTypeDesc.of(primitive));
      convert(code, primitive, to);
    } else if (!to.equals(ConstantDescs.CD_Object)) {
      code.checkcast(to);
    }
  }

  /** The class of boxes of a primitive type. */
  static ClassDesc box(ClassDesc primitive) {
    return switch (primitive.descriptorString().charAt(0)) {
      case 'Z' -> ConstantDescs.CD_Boolean;
      case 'B' -> ConstantDescs.CD_Byte;
      case 'C' -> ConstantDescs.CD_Character;
      case 'S' -> ConstantDescs.CD_Short;
      case 'I' -> ConstantDescs.CD_Integer;
      case 'J' -> ConstantDescs.CD_Long;
      case 'F' -> ConstantDescs.CD_Float;
      case 'D' -> ConstantDescs.CD_Double;
      default -> throw new IllegalStateException("no box of " + primitive);
    };
  }

  private static Optional<ClassDesc> unboxed(ClassDesc box) {
    for (String each : List.of("Z", "B", "C", "S", "I", "J", "F", "D")) {
      ClassDesc primitive = ClassDesc.ofDescriptor(each);
      if (box(primitive).equals(box)) {
        return Optional.of(primitive);
      }
    }
    return Optional.empty();
  }

  static TypeKind kind(ClassDesc type) {
    return TypeKind.from(type);
  }
}
