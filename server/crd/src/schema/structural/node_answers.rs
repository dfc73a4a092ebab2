//! Answers that are cached on a structural node.

use std::any::Any;
use std::fmt;
use std::sync::OnceLock;

/// Answers on a node, kept beside its data. The caller names the type of the answer; the model knows none of
/// these types.
///
/// An answer depends only on the node, lives exactly as long as the node, and is never replaced. Therefore
/// neither the order of questions nor the thread changes an answer.
#[derive(Default)]
pub struct TypeMap(OnceLock<Box<Link>>);

struct Link {
    answer: Box<dyn Any + Send + Sync>,
    next: TypeMap,
}

impl TypeMap {
    /// The answer of this type; initially the default of the type.
    pub fn answer<T: Any + Default + Send + Sync>(&self) -> &T {
        let mut at = self;
        loop {
            let link = at.0.get_or_init(|| {
                let answer: Box<dyn Any + Send + Sync> = Box::<T>::default();
                Box::new(Link { answer, next: Self::default() })
            });
            if let Some(answer) = link.answer.downcast_ref() {
                return answer;
            }
            at = &link.next;
        }
    }
}

impl fmt::Debug for TypeMap {
    /// Prints no answers, because they are not a part of the node.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Remembered")
    }
}

#[cfg(test)]
mod tests {
    use std::sync::atomic::{AtomicUsize, Ordering};
    use std::thread;

    use super::TypeMap;

    #[derive(Default)]
    struct LookupCount(AtomicUsize);

    #[test]
    fn each_type_has_one_answer_regardless_of_the_order() {
        let remembered = TypeMap::default();
        assert!(remembered.answer::<String>().is_empty());
        let asked = |by: usize| remembered.answer::<LookupCount>().0.fetch_add(by, Ordering::Relaxed);
        let ask = || {
            for _ in 0..100 {
                asked(1);
            }
        };
        thread::scope(|scope| {
            for _ in 0..4 {
                scope.spawn(ask);
            }
        });
        assert_eq!(asked(0), 400);
        assert!(std::ptr::eq(remembered.answer::<String>(), remembered.answer::<String>()));
    }
}
