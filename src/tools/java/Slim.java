import java.lang.classfile.Attribute;
import java.lang.classfile.ClassFile;
import java.lang.classfile.ClassHierarchyResolver;
import java.lang.classfile.ClassTransform;
import java.lang.classfile.CodeElement;
import java.lang.classfile.CodeTransform;
import java.lang.classfile.FieldTransform;
import java.lang.classfile.MethodModel;
import java.lang.classfile.MethodTransform;
import java.lang.classfile.attribute.MethodParametersAttribute;
import java.lang.classfile.attribute.RuntimeInvisibleAnnotationsAttribute;
import java.lang.classfile.attribute.RuntimeInvisibleParameterAnnotationsAttribute;
import java.lang.classfile.attribute.RuntimeInvisibleTypeAnnotationsAttribute;
import java.lang.classfile.attribute.RuntimeVisibleTypeAnnotationsAttribute;
import java.lang.classfile.instruction.InvokeInstruction;
import java.lang.classfile.instruction.LineNumber;
import java.lang.classfile.instruction.ReturnInstruction;
import java.lang.classfile.instruction.ThrowInstruction;
import java.lang.constant.ClassDesc;
import java.lang.constant.ConstantDescs;

/**
 * Classes that the JVM loads with less work, which do the same:
 *
 * <ul>
 *   <li>without the names of local variables and parameters, without annotations of types and those
 *       that are not visible at run time, and without the constants that only these use; line
 *       numbers, signatures and other annotations stay;
 *   <li>with a cast of a new object that is thrown or returned as another type, so that the class
 *       of the object is not loaded to verify that it is of that type before there is one.
 * </ul>
 */
final class Slim {

  private final ClassFile files;

  /**
   * @param resolver finds the super classes of all classes that these mention
   */
  Slim(ClassHierarchyResolver resolver) {
    files =
        ClassFile.of(
            ClassFile.ClassHierarchyResolverOption.of(resolver),
            ClassFile.ConstantPoolSharingOption.NEW_POOL,
            ClassFile.DebugElementsOption.DROP_DEBUG,
            ClassFile.AttributesProcessingOption.DROP_UNKNOWN_ATTRIBUTES);
  }

  /** Returns the class in this form, or as it is if its frames cannot be computed. */
  byte[] of(byte[] bytes) {
    try {
      return files.transformClass(files.parse(bytes), transform());
    } catch (IllegalArgumentException e) {
      // needs an optional library
      return bytes;
    }
  }

  private static ClassTransform transform() {
    FieldTransform fields = FieldTransform.dropping(Slim::isUnused);
    return ClassTransform.dropping(Slim::isUnused)
        .andThen(ClassTransform.transformingFields(fields))
        .andThen(
            (builder, element) -> {
              if (element instanceof MethodModel method) {
                builder.transformMethod(method, methods(method));
              } else {
                builder.with(element);
              }
            });
  }

  private static MethodTransform methods(MethodModel method) {
    ClassDesc returned = method.methodTypeSymbol().returnType();
    return MethodTransform.dropping(Slim::isUnused)
        .andThen(MethodTransform.transformingCode(CodeTransform.ofStateful(() -> casts(returned))));
  }

  /** One for each method: has a memory of the last instruction. */
  private static CodeTransform casts(ClassDesc returned) {
    ClassDesc[] made = new ClassDesc[1];
    return (code, element) -> {
      if (isUnused(element)) {
        return;
      }
      if (element instanceof LineNumber) {
        code.with(element);
        return;
      }
      if (made[0] != null) {
        ClassDesc used =
            switch (element) {
              case ThrowInstruction _ -> ConstantDescs.CD_Throwable;
              case ReturnInstruction _ when !returned.isPrimitive() -> returned;
              default -> made[0];
            };
        if (!used.equals(made[0]) && !used.equals(ConstantDescs.CD_Object)) {
          code.checkcast(used);
        }
      }
      code.with(element);
      made[0] = made(element);
    };
  }

  /** The class of the object that a constructor has just made. */
  private static ClassDesc made(CodeElement element) {
    return element instanceof InvokeInstruction call
            && call.name().equalsString(ConstantDescs.INIT_NAME)
        ? call.owner().asSymbol()
        : null;
  }

  private static boolean isUnused(Object element) {
    return element instanceof Attribute<?> attribute
        && (attribute instanceof MethodParametersAttribute
            || attribute instanceof RuntimeInvisibleAnnotationsAttribute
            || attribute instanceof RuntimeInvisibleParameterAnnotationsAttribute
            || attribute instanceof RuntimeInvisibleTypeAnnotationsAttribute
            || attribute instanceof RuntimeVisibleTypeAnnotationsAttribute);
  }
}
